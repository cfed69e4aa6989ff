import fc from 'fast-check'
import { expect, it } from 'vitest'
import { dragView, type Point, zoomView } from '../../page/map/gesture.ts'

const number = (most: number) => fc.double({ min: -most, max: most, noNaN: true })
const point = fc.record({ x: number(500), y: number(300) })
const view = fc.record({
  x: number(2000),
  y: number(2000),
  scale: fc.double({ min: 0.1, max: 6, noNaN: true }),
})

/** What of the map is at a point of the canvas. */
const under = ({ x, y, scale }: Point & { scale: number }, at: Point) => ({
  x: x + at.x / scale,
  y: y + at.y / scale,
})
const near = (a: Point, b: Point) => Math.hypot(a.x - b.x, a.y - b.y) < 1e-6 * (1 + Math.hypot(a.x, a.y))

it('what is under a finger stays under it', () => {
  fc.assert(
    fc.property(view, point, point, (before, from, to) => {
      const after = dragView(before, [from], [to])
      expect(after.scale).toBe(before.scale)
      expect(near(under(before, from), under(after, to))).toBe(true)
    }),
  )
})

it('two fingers zoom by how far they part, about what is between them, and undo what they did', () => {
  fc.assert(
    fc.property(view, point, point, fc.double({ min: 0.2, max: 5, noNaN: true }), (before, a, b, by) => {
      fc.pre(Math.hypot(a.x - b.x, a.y - b.y) > 1)
      const middle = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 }
      const part = ({ x, y }: Point) => ({
        x: middle.x + (x - middle.x) * by,
        y: middle.y + (y - middle.y) * by,
      })
      const after = dragView(before, [a, b], [part(a), part(b)])
      expect(after.scale).toBeCloseTo(Math.min(6, Math.max(0.1, before.scale * by)), 6)
      expect(near(under(before, middle), under(after, middle))).toBe(true)
      if (after.scale > 0.1 && after.scale < 6) {
        const again = dragView(after, [part(a), part(b)], [a, b])
        expect(again.scale).toBeCloseTo(before.scale, 6)
        expect(near(again, before)).toBe(true)
      }
    }),
  )
})

it('zooming keeps what is under the pointer, within bounds', () => {
  fc.assert(
    fc.property(view, point, fc.double({ min: 0.01, max: 100, noNaN: true }), (before, still, factor) => {
      const after = zoomView(before, factor, still)
      expect(after.scale).toBeGreaterThanOrEqual(0.1)
      expect(after.scale).toBeLessThanOrEqual(6)
      expect(near(under(before, still), under(after, still))).toBe(true)
    }),
  )
})

it('fingers at one place zoom nothing', () => {
  const [before, here] = [
    { x: 1, y: 2, scale: 1 },
    { x: 5, y: 5 },
  ]
  expect(dragView(before, [here, here], [here, here])).toEqual(before)
})
