// The map as drawn, moved and zoomed, with its items.
import type { RefObject } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { ReferenceMap } from '../../src/surfaces/ui/reference-map.ts'
import { useLinks } from '../parts/basics.tsx'
import { usePage } from '../state.tsx'
import { countOf } from '../text/count.ts'
import { readColours } from './colours.ts'
import { drawMap, type Scene } from './draw.ts'
import type { Point, View } from './gesture.ts'
import { layoutMap, nameClusters, nearestDot, orderByReferences } from './layout.ts'
import { MapList } from './map-list.tsx'
import { usePointers } from './use-pointers.ts'
import { PRESS_ZOOM, pressKey, useView, type ViewControl, WHEEL_ZOOM } from './use-view.ts'

const HEIGHT = 560

export function MapView({ map }: { map: ReferenceMap }) {
  const { go } = usePage()
  const links = useLinks()
  const canvas = useRef<HTMLCanvasElement>(null)
  const width = useWidth(canvas)
  const scene = useScene(map, width)
  const control = useView(scene.layout.bounds, { width, height: HEIGHT })
  const [chosen, setChosen] = useState<number>()
  usePainting(canvas, { scene, chosen, width, view: control.view })
  /** Relative to the middle of the canvas. */
  const pointOf = (event: { offsetX: number; offsetY: number }): Point => ({
    x: event.offsetX - width / 2,
    y: event.offsetY - HEIGHT / 2,
  })
  const itemAt = (point: Point) => nearestDot(scene.layout.dots, control.view, point)
  const open = (index: number | undefined) => {
    if (index === undefined) return
    const { item_type: type, item_id: id, space } = map.items[index]!
    go(links.item({ type, id, space }))
  }
  const pointers = usePointers({
    pointOf,
    drag: control.drag,
    hover: point => setChosen(point && itemAt(point)),
    tap: point => open(itemAt(point)),
  })
  return (
    <>
      <div class="map-frame">
        <canvas
          ref={canvas}
          width={width * devicePixelRatio}
          height={HEIGHT * devicePixelRatio}
          style={{ height: `${HEIGHT}px` }}
          tabIndex={0}
          role="img"
          aria-label={`Map of ${countOf(map.items.length, 'item')} in ${countOf(scene.layout.clusters.length, 'category', 'categories')} with ${countOf(map.references.length, 'reference')}. Arrow keys move, plus and minus zoom, 0 shows all.`}
          onKeyDown={event => pressKey(event, control)}
          onWheel={event => {
            event.preventDefault()
            control.zoom(event.deltaY < 0 ? WHEEL_ZOOM : 1 / WHEEL_ZOOM, pointOf(event))
          }}
          {...pointers}
        />
        <MapTools control={control} />
      </div>
      <MapList map={map} layout={scene.layout} />
    </>
  )
}

/** The width of the frame around the canvas. */
function useWidth(canvas: RefObject<HTMLCanvasElement | null>): number {
  // Starts with about the final width, so that the map is laid out only once.
  const [width, setWidth] = useState(() => document.getElementById('content')?.clientWidth ?? 0)
  useEffect(() => {
    const measure = new ResizeObserver(([entry]) => setWidth(entry!.contentRect.width))
    measure.observe(canvas.current!.parentElement!)
    return () => measure.disconnect()
  }, [])
  return width
}

function useScene(map: ReferenceMap, width: number): Omit<Scene, 'chosen'> {
  // The ratio of width to height, rounded so that the layout does not change with every pixel.
  const aspect = Math.min(2.25, Math.max(0.5, Math.round((4 * width) / HEIGHT) / 4))
  return useMemo(
    () => ({
      layout: layoutMap(nameClusters(map.items.map(item => item.category)), aspect),
      types: map.items.map(item => item.item_type),
      labels: map.items.map(item => item.item_id.slice(item.item_id.lastIndexOf('/') + 1)),
      references: map.references,
      order: orderByReferences(map.items.length, map.references),
    }),
    [map, aspect],
  )
}

interface Picture {
  readonly scene: Omit<Scene, 'chosen'>
  readonly chosen: number | undefined
  readonly width: number
  readonly view: View
}

function usePainting(
  canvas: RefObject<HTMLCanvasElement | null>,
  { scene, chosen, width, view }: Picture,
): void {
  useEffect(() => {
    const context = canvas.current?.getContext('2d')
    if (!context || width === 0) return
    const size = { width, height: HEIGHT }
    const paint = () => drawMap(context, size, { ...scene, chosen }, view, readColours())
    const frame = requestAnimationFrame(paint)
    const scheme = matchMedia('(prefers-color-scheme: dark)')
    scheme.addEventListener('change', paint)
    return () => {
      cancelAnimationFrame(frame)
      scheme.removeEventListener('change', paint)
    }
  }, [scene, chosen, view, width])
}

function MapTools({ control: { zoom, showAll } }: { control: ViewControl }) {
  return (
    <div class="map-tools">
      <button type="button" class="button" aria-label="zoom in" onClick={() => zoom(PRESS_ZOOM)}>
        +
      </button>
      <button type="button" class="button" aria-label="zoom out" onClick={() => zoom(1 / PRESS_ZOOM)}>
        −
      </button>
      <button type="button" class="button" onClick={showAll}>
        all
      </button>
    </div>
  )
}
