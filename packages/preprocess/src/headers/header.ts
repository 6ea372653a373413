/** Bytes from `start` up to `end`. */
export interface Range {
  readonly start: number
  readonly end: number
}

/** What can be known of a picture without decoding it. Undefined: the file ends before it says. */
export interface Header {
  readonly format: 'JPEG' | 'PNG' | 'WebP' | 'GIF'
  readonly width: number
  readonly height: number
  /** EXIF orientation, 1 to 8; 1 where there is none or it is nonsense. */
  readonly orientation: number
  /** Where its EXIF blocks stand, with the chunk or segment around them. */
  readonly exif: readonly Range[]
  /** Whether the format can hold transparent pixels. */
  readonly alpha: boolean
  /** Whether the colours are cyan, magenta, yellow and black. */
  readonly cmyk?: boolean | undefined
}
