// The positions on the map: a circle for each category, its items inside like the seeds of a sunflower, and
// the circles beside each other without touching. Computed, not simulated: the same library always gives the
// same map, immediately.
import type { Point, View } from './gesture.ts'

export interface Circle {
  readonly x: number
  readonly y: number
  readonly radius: number
}

export interface Cluster extends Circle {
  readonly name: string
  readonly count: number
}

export interface Dot {
  readonly x: number
  readonly y: number
  /** Index into `clusters`. */
  readonly cluster: number
}

export interface MapLayout {
  readonly clusters: readonly Cluster[]
  readonly dots: readonly Dot[]
  /** The middle of everything, and how far it reaches from there. */
  readonly bounds: Bounds
}

export interface Bounds {
  readonly x: number
  readonly y: number
  readonly halfWidth: number
  readonly halfHeight: number
}

const SPACING = 14
const GAP = 26
const GOLDEN = Math.PI * (3 - Math.sqrt(5))

/**
 * Takes the cluster name of each item, in order; `aspect` is the ratio of width to height that is available.
 */
export function layoutMap(names: readonly string[], aspect = 1.5): MapLayout {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  const placed: Cluster[] = []
  const largestFirst = [...counts].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0]))
  for (const [name, count] of largestFirst) {
    const radius = SPACING * Math.sqrt(count) + SPACING
    placed.push({ name, count, radius, ...findPlace(placed, radius, aspect) })
  }
  const position = new Map(placed.map((cluster, index) => [cluster.name, index]))
  const filled = placed.map(() => 0)
  const dots = names.map(name => {
    const cluster = position.get(name)!
    const { x, y } = placed[cluster]!
    const seed = filled[cluster]!++
    // A single item is in the middle.
    const distance = placed[cluster]!.count === 1 ? 0 : SPACING * Math.sqrt(seed + 0.5) * 0.95
    return { x: x + distance * Math.cos(seed * GOLDEN), y: y + distance * Math.sin(seed * GOLDEN), cluster }
  })
  return { clusters: placed, dots, bounds: boundsOf(placed) }
}

/** The free place nearest to the middle, along a spiral. */
function findPlace(placed: readonly Circle[], radius: number, aspect: number): { x: number; y: number } {
  for (let step = 0; ; step++) {
    const distance = step === 0 ? 0 : 6 * Math.sqrt(step)
    const x = aspect * distance * Math.cos(step * 0.35)
    const y = distance * Math.sin(step * 0.35)
    const isFree = placed.every(other => Math.hypot(other.x - x, other.y - y) >= other.radius + radius + GAP)
    if (isFree) return { x, y }
  }
}

function boundsOf(circles: readonly Circle[]): Bounds {
  const [left, right, top, bottom] = circles.reduce(
    ([l, r, t, b], { x, y, radius }) =>
      [
        Math.min(l, x - radius),
        Math.max(r, x + radius),
        Math.min(t, y - radius),
        Math.max(b, y + radius),
      ] as const,
    [0, 1, 0, 1] as readonly [number, number, number, number],
  )
  return {
    x: (left + right) / 2,
    y: (top + bottom) / 2,
    halfWidth: (right - left) / 2,
    halfHeight: (bottom - top) / 2,
  }
}

/** How far from the pointer an item may be, on the screen and on the map. */
const [NEAR_ON_SCREEN, NEAR_ON_MAP] = [12, 7]

/** The item at a point of the canvas, given relative to its middle. */
export function nearestDot(dots: readonly Dot[], view: View, point: Point): number | undefined {
  const [x, y] = [point.x / view.scale + view.x, point.y / view.scale + view.y]
  let [least, nearest] = [Number.POSITIVE_INFINITY, -1]
  for (const [index, dot] of dots.entries()) {
    const distance = Math.hypot(dot.x - x, dot.y - y)
    if (distance < least) [least, nearest] = [distance, index]
  }
  return least * view.scale < NEAR_ON_SCREEN || least < NEAR_ON_MAP ? nearest : undefined
}

/** A category with more items than this is split into its parts. */
const MOST_IN_ONE = 80

/** The cluster name of each item: the first part of its category, or the first two. */
export function nameClusters(categories: readonly string[]): string[] {
  const firstOf = (category: string) => category.split('/')[0] || 'without category'
  const counts = new Map<string, number>()
  for (const category of categories) counts.set(firstOf(category), (counts.get(firstOf(category)) ?? 0) + 1)
  return categories.map(category => {
    const first = firstOf(category)
    return counts.get(first)! > MOST_IN_ONE && category !== ''
      ? category.split('/').slice(0, 2).join('/')
      : first
  })
}

/** Item indexes sorted by number of references, most first. */
export function orderByReferences(
  items: number,
  references: readonly (readonly [number, number])[],
): number[] {
  const counts = new Uint32Array(items)
  for (const pair of references) for (const index of pair) counts[index]! += 1
  return Array.from(counts.keys()).sort((a, b) => counts[b]! - counts[a]! || a - b)
}
