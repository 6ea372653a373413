import type { ModelName } from './model/task.js'

/** A picture or a recording to run on. */
export interface Input {
  /** Tells inputs apart: a sample's path, or a number for a file of the visitor's. */
  readonly id: string
  readonly name: string
  readonly caption: string
  readonly model: ModelName
  /** For `<img>` and `<audio>`. */
  readonly url: string
  bytes(): Promise<Blob>
}

interface Sample {
  readonly path: string
  readonly name: string
  readonly caption: string
  readonly model: ModelName
}

const samples: readonly Sample[] = [
  {
    path: '/samples/portrait.png',
    name: 'Portrait',
    caption: 'A portrait drawn by code: nobody’s face, yet one to the model.',
    model: 'blazeface',
  },
  {
    path: '/samples/landscape.png',
    name: 'Mountains',
    caption: 'Mountains drawn by code, with nobody in them.',
    model: 'blazeface',
  },
  {
    path: '/samples/speech.wav',
    name: 'Speech',
    caption:
      'Three short sentences by a formant synthesiser in this repository, not a recording of a person.',
    model: 'silero_vad',
  },
  {
    path: '/samples/rain.wav',
    name: 'Rain',
    caption: 'Rain made of noise: nobody speaks.',
    model: 'silero_vad',
  },
]

export function samplesOf(model: ModelName): readonly Input[] {
  return samples.filter((sample) => sample.model === model).map(fromSample)
}

export function firstSample(model: ModelName): Input {
  const [first] = samplesOf(model)
  if (first === undefined) throw new Error(`there is no sample for ${model}`)
  return first
}

function fromSample({ path, name, caption, model }: Sample): Input {
  const fetched = async (): Promise<Blob> => {
    const response = await fetch(path).catch((cause: unknown) => {
      throw new Error(
        `The sample ${path} could not be fetched: is this computer online, and does the page’s server still run?`,
        { cause },
      )
    })
    if (!response.ok) throw new Error(`The sample ${path} answers ${response.status}; build the page again.`)
    return response.blob()
  }
  return { id: path, name, caption, model, url: path, bytes: fetched }
}

let files = 0

/** A file that the visitor chose or dropped; its kind decides the model. */
export function fromFile(file: File): Input {
  files += 1
  return {
    id: `file ${files}`,
    name: file.name,
    caption: `Your file ${file.name}. It is read in this page and sent only where you choose to run.`,
    model: isSound(file) ? 'silero_vad' : 'blazeface',
    url: URL.createObjectURL(file),
    bytes: async () => file,
  }
}

function isSound(file: File): boolean {
  return file.type.startsWith('audio/') || /\.(wav|wave)$/i.test(file.name)
}
