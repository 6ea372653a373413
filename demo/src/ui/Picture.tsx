import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Input } from '../inputs.js'
import type { Face } from '../model/blazeface.js'
import { percent } from './format.js'

/** The picture, and the faces found in it. Boxes are drawn in the picture's own pixels, so they fit at any size. */
export function Picture({ input, faces }: { input: Input; faces: readonly Face[] }): JSX.Element {
  const [size, setSize] = useState<{ readonly id: string; readonly width: number; readonly height: number }>()
  const [broken, setBroken] = useState<string>()
  const shown = size?.id === input.id ? size : undefined
  const unit = shown ? Math.max(shown.width, shown.height) / 100 : 1
  return (
    <div class="view picture">
      {broken === input.id ? (
        <p class="blank">The browser cannot show this file. Run it to read what is wrong with it.</p>
      ) : (
        <img
          src={input.url}
          alt={input.caption}
          data-testid="picture"
          onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) =>
            setSize({ id: input.id, width, height })
          }
          onError={() => setBroken(input.id)}
        />
      )}
      {shown && (
        <svg viewBox={`0 0 ${shown.width} ${shown.height}`} aria-hidden="true" data-testid="boxes">
          {faces.map(({ box, points, score }) => (
            <g key={`${box.x} ${box.y}`} data-testid="box" data-score={score}>
              <rect x={box.x} y={box.y} width={box.width} height={box.height} rx={unit} />
              {points.map((point) => (
                <circle key={`${point.x} ${point.y}`} cx={point.x} cy={point.y} r={0.8 * unit} />
              ))}
              <text x={box.x} y={Math.max(4.5 * unit, box.y - 1.6 * unit)} font-size={4 * unit}>
                {percent(score)}
              </text>
            </g>
          ))}
        </svg>
      )}
    </div>
  )
}
