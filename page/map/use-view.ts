// Which part of the map is visible: all of it, until someone moves or zooms.
import { useMemo, useState } from 'preact/hooks'
import { dragView, type Point, type View, zoomView } from './gesture.ts'
import type { Bounds } from './layout.ts'

export interface ViewControl {
  readonly view: View
  /** Moves and zooms as the points do, which are relative to the middle of the canvas. */
  drag(before: readonly Point[], after: readonly Point[]): void
  /** Zooms around the point `still`, which keeps its place. */
  zoom(factor: number, still?: Point): void
  showAll(): void
}

/** Margin around everything, in screen pixels: names are above their circles. */
const MARGIN = 26
const MOST_SCALE = 2.2

export function useView(
  { x, y, halfWidth, halfHeight }: Bounds,
  { width, height }: { readonly width: number; readonly height: number },
): ViewControl {
  const [view, setView] = useState<View>()
  const whole = useMemo<View>(() => {
    const across = ((width || 600) - MARGIN) / (2 * halfWidth)
    const down = (height - 2 * MARGIN) / (2 * halfHeight)
    return { x, y, scale: Math.min(MOST_SCALE, across, down) }
  }, [x, y, halfWidth, halfHeight, width, height])
  // Several changes may come before the next frame; each continues from the one before.
  const change = (step: (view: View) => View) => setView(last => step(last ?? whole))
  return {
    view: view ?? whole,
    drag: (before, after) => change(last => dragView(last, before, after)),
    zoom: (factor, still) => change(last => zoomView(last, factor, still)),
    showAll: () => setView(undefined),
  }
}

const STEPS: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: -60, y: 0 },
  ArrowRight: { x: 60, y: 0 },
  ArrowUp: { x: 0, y: -60 },
  ArrowDown: { x: 0, y: 60 },
}
/** Zoom factor of one press of a key or button, and of one notch of a wheel. */
export const [PRESS_ZOOM, WHEEL_ZOOM] = [1.3, 1.15]

export function pressKey(event: KeyboardEvent, { drag, zoom, showAll }: ViewControl): void {
  const step = STEPS[event.key]
  if (step) drag([step], [{ x: 0, y: 0 }])
  else if (event.key === '+' || event.key === '=') zoom(PRESS_ZOOM)
  else if (event.key === '-') zoom(1 / PRESS_ZOOM)
  else if (event.key === '0' || event.key === 'Escape') showAll()
  else return
  event.preventDefault()
}
