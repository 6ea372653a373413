import type { JSX } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { Input } from '../inputs.js'
import { chunkSamples, sampleRate, speechSpans } from '../model/silero.js'
import { seconds } from './format.js'
import { curve, outline } from './wave.js'

interface Props {
  readonly input: Input
  readonly probabilities: Float32Array | undefined
  readonly samplesOf: (input: Input, signal: AbortSignal) => Promise<Float32Array>
}

const width = 800
const height = 200

/** The recording's outline, the probability of speech over it, and the parts taken for speech shaded. */
export function Wave({ input, probabilities, samplesOf }: Props): JSX.Element {
  const [samples, setSamples] = useState<{ readonly id: string; readonly data: Float32Array }>()
  const [broken, setBroken] = useState<string>()

  useEffect(() => {
    const reading = new AbortController()
    samplesOf(input, reading.signal).then(
      (data) => setSamples({ id: input.id, data }),
      () => {
        if (!reading.signal.aborted) setBroken(input.id)
      },
    )
    return () => reading.abort()
  }, [input, samplesOf])

  const data = samples?.id === input.id ? samples.data : undefined
  const shape = useMemo(() => data && outline(data, width, height), [data])
  const line = useMemo(
    () => data && probabilities && curve(probabilities, (width * chunkSamples) / data.length, height),
    [data, probabilities],
  )
  const length = data && data.length / sampleRate
  return (
    <div class="view wave">
      {broken === input.id ? (
        <p class="blank">This file cannot be drawn. Run it to read what is wrong with it.</p>
      ) : (
        <svg
          viewBox={`0 0 ${width} ${height}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`${input.caption} ${length ? seconds(length) : ''}`}
          data-testid="waveform"
        >
          {length !== undefined &&
            probabilities &&
            speechSpans(probabilities).map(([from, to]) => (
              <rect
                key={from}
                class="speech"
                data-testid="speech-span"
                x={(from / length) * width}
                width={((to - from) / length) * width}
                y={0}
                height={height}
              />
            ))}
          <line x1={0} x2={width} y1={height / 2} y2={height / 2} class="half" />
          {shape && <path d={shape} class="outline" />}
          {line && <path d={line} class="probability" data-testid="probability" />}
        </svg>
      )}
      <div class="axis" aria-hidden="true">
        <span>0 s</span>
        <span class="key outline-key">recording</span>
        <span class="key probability-key">probability of speech, 0 to 1</span>
        <span>{length ? seconds(length) : ''}</span>
      </div>
      {/* biome-ignore lint/a11y/useMediaCaption: the recording is the visitor's, or has no words worth a caption */}
      <audio controls preload="none" src={input.url} />
    </div>
  )
}
