// Fingers and mice on the map: pointing at an item chooses it, a press without movement opens it, and a
// movement drags the map.
import type { TargetedPointerEvent } from 'preact'
import { useRef } from 'preact/hooks'
import type { Point } from './gesture.ts'

export interface PointerActions {
  /** The position of an event relative to the middle of the canvas. */
  pointOf(event: PointerEvent): Point
  drag(before: readonly Point[], after: readonly Point[]): void
  /** Someone points there; undefined when they leave. */
  hover(point: Point | undefined): void
  /** A press that ended without movement. */
  tap(point: Point): void
}

/** Less movement than this counts as holding still. */
const STILL = 4

type CanvasEvent = TargetedPointerEvent<HTMLCanvasElement>

export function usePointers({ pointOf, drag, hover, tap }: PointerActions) {
  /**
   * Fingers on the map, or the mouse button that is held. `hasMoved`: whether any has moved since the first
   * press.
   */
  const held = useRef(new Map<number, Point>()).current
  const hasMoved = useRef(false)
  return {
    onPointerDown(event: CanvasEvent) {
      event.currentTarget.setPointerCapture(event.pointerId)
      if (held.size === 0) hasMoved.current = false
      held.set(event.pointerId, pointOf(event))
    },
    onPointerMove(event: CanvasEvent) {
      const from = held.get(event.pointerId)
      const to = pointOf(event)
      if (!from) return hover(to)
      if (!hasMoved.current && Math.hypot(to.x - from.x, to.y - from.y) < STILL) return
      hasMoved.current = true
      const before = [...held.values()]
      held.set(event.pointerId, to)
      drag(before, [...held.values()])
    },
    onPointerUp(event: CanvasEvent) {
      const isLast = held.delete(event.pointerId) && held.size === 0
      if (isLast && !hasMoved.current) tap(pointOf(event))
    },
    onPointerCancel(event: CanvasEvent) {
      held.delete(event.pointerId)
    },
    onPointerLeave: () => hover(undefined),
  }
}
