// What a gesture does to the map. The spot under a finger, or under the pointer, stays under it.

export interface Point {
  readonly x: number
  readonly y: number
}

/** The point of the map that is in the middle, and the scale. */
export interface View extends Point {
  readonly scale: number
}

const [LEAST, MOST] = [0.1, 6]

/** Points are on the canvas, relative to its middle. One point moves the map; several also zoom it. */
export function dragView(view: View, before: readonly Point[], after: readonly Point[]): View {
  const [from, to] = [middleOf(before), middleOf(after)]
  const [wasWide, isWide] = [spread(before, from), spread(after, to)]
  const scale = bounded(wasWide > 0 && isWide > 0 ? (view.scale * isWide) / wasWide : view.scale)
  return {
    x: view.x + from.x / view.scale - to.x / scale,
    y: view.y + from.y / view.scale - to.y / scale,
    scale,
  }
}

export function zoomView(view: View, factor: number, still: Point = { x: 0, y: 0 }): View {
  const scale = bounded(view.scale * factor)
  const kept = 1 / view.scale - 1 / scale
  return { x: view.x + still.x * kept, y: view.y + still.y * kept, scale }
}

function bounded(scale: number): number {
  return Math.min(MOST, Math.max(LEAST, scale))
}

function middleOf(points: readonly Point[]): Point {
  const sum = (of: (point: Point) => number) => points.reduce((total, point) => total + of(point), 0)
  return { x: sum(({ x }) => x) / points.length, y: sum(({ y }) => y) / points.length }
}

/** The average distance of the points from their middle. */
function spread(points: readonly Point[], middle: Point): number {
  return points.reduce((sum, { x, y }) => sum + Math.hypot(x - middle.x, y - middle.y), 0) / points.length
}
