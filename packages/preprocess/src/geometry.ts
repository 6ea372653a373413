export interface Point {
  readonly x: number
  readonly y: number
}
/** `x`, `y` are the left upper corner. */
export interface Box extends Point {
  readonly width: number
  readonly height: number
}

/** Source to model: `model = source * scale + offset`. Coordinates are continuous: a pixel's left edge is its index. Plain data. */
export interface Mapping {
  readonly scaleX: number
  readonly scaleY: number
  readonly offsetX: number
  readonly offsetY: number
}

export const identity: Mapping = { scaleX: 1, scaleY: 1, offsetX: 0, offsetY: 0 }

export const scaled = (map: Mapping, x: number, y: number): Mapping => ({
  scaleX: map.scaleX * x,
  scaleY: map.scaleY * y,
  offsetX: map.offsetX * x,
  offsetY: map.offsetY * y,
})

export const moved = (map: Mapping, x: number, y: number): Mapping => ({
  ...map,
  offsetX: map.offsetX + x,
  offsetY: map.offsetY + y,
})

/** Model coordinates back to the source. */
export interface ToSource {
  (box: Box): Box
  (point: Point): Point
}

export const inverse = (map: Mapping): ToSource => {
  const x = (value: number): number => (value - map.offsetX) / map.scaleX
  const y = (value: number): number => (value - map.offsetY) / map.scaleY
  function toSource(box: Box): Box
  function toSource(point: Point): Point
  function toSource(place: Point | Box): Point | Box {
    const point = { x: x(place.x), y: y(place.y) }
    if (!('width' in place)) return point
    return { ...point, width: place.width / map.scaleX, height: place.height / map.scaleY }
  }
  return toSource
}
