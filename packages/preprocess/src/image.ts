import { invalid, oneOf, onlyKeys, show, triple, whole } from './check.js'
import { type Filter, filters } from './ops/filters.js'
import type { Letterbox } from './ops/letterbox.js'
import type { Resize, Size } from './ops/resize.js'
import { normalised, type ToTensor } from './ops/tensor.js'
import { maxSide } from './pixels.js'
import type { ImageDType, ImagePlan, ImageStep } from './plan.js'

type Colour = number | readonly [red: number, green: number, blue: number]

export interface ImageOptions<Name extends string = string, D extends ImageDType = 'float32'> {
  /** The name of the model's input. */
  readonly input: Name
  /** A square, exact sides (which may distort), or the shorter side's length. `filter` is bilinear by default. */
  readonly resize?: number | (Size & Filtered) | ({ readonly shortest: number } & Filtered) | undefined
  /** The centre of what `resize` gave: a square, or width and height. */
  readonly crop?: number | Size | undefined
  /**
   * Instead of resize and crop: the whole picture in a box of this size, undistorted, the rest filled. `fill` is black
   * by default (YOLO wants 114), `anchor` is centre.
   */
  readonly letterbox?:
    | number
    | (Size &
        Filtered & { readonly fill?: Colour | undefined; readonly anchor?: Letterbox['anchor'] | undefined })
    | undefined
  /** Taken off after scaling; red, green, blue. 0 by default. */
  readonly mean?: Colour | undefined
  /** Divided by after the mean is taken off. 1 by default. */
  readonly std?: Colour | undefined
  /**
   * What a pixel (0 to 255) is multiplied with first: 1/255 by default, 1 for uint8. To be given when `mean` or `std` are
   * meant for 0 to 255, such as 127.5.
   */
  readonly scale?: number | undefined
  readonly layout?: ToTensor['layout'] | undefined
  readonly channels?: ToTensor['channels'] | undefined
  /** `float32` by default. float16 is bits, as everywhere. */
  readonly dtype?: D | undefined
  /** What shows through transparent pixels, 0 to 255; white by default. Pillow's `convert('RGB')` drops alpha instead. */
  readonly background?: Colour | undefined
  /** Larger pictures are refused before they are decoded. 100 million by default. */
  readonly maxPixels?: number | undefined
}
interface Filtered {
  /** Pillow's filters, antialiased. */
  readonly filter?: Filter | undefined
}

const options = [
  'input',
  'resize',
  'crop',
  'letterbox',
  'mean',
  'std',
  'scale',
  'layout',
  'channels',
  'dtype',
  'background',
  'maxPixels',
] as const satisfies readonly (keyof ImageOptions)[]

const defaultMaxPixels = 100_000_000

/**
 * A plan that turns pictures into a model's input: upright, on a plain background, resized as Pillow does, normalised.
 * Plain data. @throws INVALID_INPUT that names the option
 */
export const image = <const Name extends string, D extends ImageDType = 'float32'>(
  wanted: ImageOptions<Name, D>,
): ImagePlan<Name, D> => {
  if (typeof wanted !== 'object' || wanted === null)
    throw invalid('image()', `takes an object, got ${show(wanted)}`)
  onlyKeys('image()', wanted, options)
  const { input } = wanted
  if (typeof input !== 'string' || input === '') {
    throw invalid('image().input', `must be the name of the model's input, got ${show(input)}`)
  }
  const dtype = oneOf('image().dtype', wanted.dtype ?? 'float32', ['float32', 'float16', 'uint8']) as D
  return {
    kind: 'image',
    input,
    dtype,
    maxPixels: whole('image().maxPixels', wanted.maxPixels ?? defaultMaxPixels, 1, Number.MAX_SAFE_INTEGER),
    steps: [
      { op: 'orient' },
      { op: 'composite', background: colour('image().background', wanted.background ?? 255) },
      ...placing(wanted),
    ],
    tensor: normalising(wanted, dtype),
  }
}

function placing(wanted: ImageOptions<string, ImageDType>): ImageStep[] {
  const { resize, crop, letterbox } = wanted
  if (letterbox !== undefined) {
    if (resize !== undefined || crop !== undefined) {
      throw invalid('image().letterbox', 'takes the place of resize and crop: give either it or them')
    }
    const asked = typeof letterbox === 'number' ? { width: letterbox, height: letterbox } : letterbox
    const { fill = 0, anchor = 'center', filter } = asked
    return [
      {
        op: 'letterbox',
        ...size('image().letterbox', asked, ['filter', 'fill', 'anchor']),
        filter: filterOf('image().letterbox', filter),
        fill: colour('image().letterbox.fill', fill),
        anchor: oneOf('image().letterbox.anchor', anchor, ['center', 'top-left']),
      },
    ]
  }
  const cropped = crop === undefined ? undefined : size('image().crop', crop)
  if (resize === undefined) return cropped === undefined ? [] : [{ op: 'crop', ...cropped }]
  const filter = filterOf('image().resize', typeof resize === 'number' ? undefined : resize?.filter)
  const step: Resize = { op: 'resize', to: target(resize), filter }
  return [cropped === undefined ? step : { ...step, crop: cropped }]
}

function target(resize: NonNullable<ImageOptions['resize']>): Resize['to'] {
  if (typeof resize === 'object' && resize !== null && 'shortest' in resize) {
    onlyKeys('image().resize', resize, ['shortest', 'filter'])
    return { shortest: whole('image().resize.shortest', resize.shortest, 1, maxSide) }
  }
  return size('image().resize', resize, ['filter'])
}

function size(where: string, value: number | Size, others: readonly string[] = []): Size {
  if (typeof value === 'number') {
    const side = whole(where, value, 1, maxSide)
    return { width: side, height: side }
  }
  if (typeof value !== 'object' || value === null) {
    throw invalid(where, `must be a number or { width, height }, got ${show(value)}`)
  }
  onlyKeys(where, value, ['width', 'height', ...others])
  return {
    width: whole(`${where}.width`, value.width, 1, maxSide),
    height: whole(`${where}.height`, value.height, 1, maxSide),
  }
}

const filterOf = (where: string, filter: Filter = 'bilinear'): Filter =>
  oneOf(`${where}.filter`, filter, filters)

function colour(where: string, value: unknown): readonly [number, number, number] {
  const [red, green, blue] = triple(where, value)
  return [whole(where, red, 0, 255), whole(where, green, 0, 255), whole(where, blue, 0, 255)]
}

/** A mean beyond this is meant for pixels from 0 to 255, not for 0 to 1. */
const maxScaledMean = 2

const float16Max = 65_504

function normalising(wanted: ImageOptions<string, ImageDType>, dtype: ImageDType): ToTensor {
  const std = triple('image().std', wanted.std ?? 1)
  if (std.includes(0)) throw invalid('image().std', 'must not be 0: the pixels are divided by it')
  const [scale] = triple('image().scale', wanted.scale ?? (dtype === 'uint8' ? 1 : 1 / 255))
  const mean = triple('image().mean', wanted.mean ?? 0)
  if (wanted.scale === undefined && mean.some((value) => Math.abs(value) > maxScaledMean)) {
    throw invalid(
      'image().scale',
      `is 1/255 by default, so that pixels are 0 to 1 when mean ${show(mean)} is taken off and std ${show(std)} divides: for these numbers give scale: 1, or divide them by 255`,
    )
  }
  const step: ToTensor = {
    op: 'tensor',
    dtype,
    layout: oneOf('image().layout', wanted.layout ?? 'NCHW', ['NCHW', 'NHWC']),
    channels: oneOf('image().channels', wanted.channels ?? 'RGB', ['RGB', 'BGR']),
    scale,
    mean,
    std,
  }
  const every = (fits: (value: number) => boolean): boolean =>
    normalised(step).every((table) => table.every(fits))
  const largest = dtype === 'float16' ? float16Max : Number.MAX_VALUE
  if (!every((value) => Math.abs(value) <= largest)) {
    throw invalid('image().scale', `with mean and std makes numbers that ${dtype} cannot hold`)
  }
  if (dtype === 'uint8' && !every((value) => Number.isInteger(value) && value >= 0 && value <= 255)) {
    throw invalid(
      'image().dtype',
      'is uint8, which holds whole numbers from 0 to 255: leave scale, mean and std out',
    )
  }
  return step
}
