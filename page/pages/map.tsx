// The library as a map: categories as circles, items as dots, references as lines.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { ReferenceMap } from '../../src/surfaces/ui/reference-map.ts'
import { references } from '../connection.ts'
import { readColours } from '../map/colours.ts'
import { drawMap, type Scene } from '../map/draw.ts'
import { dragView, type Point, type View, zoomView } from '../map/gesture.ts'
import { layoutMap, nameClusters, orderByReferences } from '../map/layout.ts'
import { Empty, Go, Sorry, Type, useLinks, Waiting } from '../parts/basics.tsx'
import { useAsked, usePage, useParams } from '../state.tsx'

export function MapPage() {
  const { project } = usePage()
  const [params, change] = useParams()
  const { answer, failure } = useAsked(signal => references(project, signal), ['map', project], ['items'])
  const withSystem = params.system === 'yes'
  const shown = useMemo(() => answer && choose(answer, withSystem), [answer, withSystem])
  if (failure) return <Sorry failure={failure} />
  return (
    <>
      <header class="page-head">
        <h1>Map</h1>
        <label>
          <input
            type="checkbox"
            checked={withSystem}
            onChange={() => change({ system: withSystem ? '' : 'yes' })}
          />{' '}
          with what comes with rye
        </label>
        <p class="legend">
          {['directive', 'tool', 'knowledge', 'skill'].map(type => (
            <Type key={type} type={type} />
          ))}
        </p>
      </header>
      {!shown ? (
        <Waiting lines={8} />
      ) : shown.items.length === 0 ? (
        <Empty title="The project has no items of its own yet">
          <p>
            Make one with <code>rye new tool ops/hello</code>, or show what comes with rye.
          </p>
        </Empty>
      ) : (
        <MapView map={shown} />
      )}
    </>
  )
}

function choose({ items, references }: ReferenceMap, withSystem: boolean): ReferenceMap {
  if (withSystem) return { items, references }
  const kept = items.flatMap((item, index) => (item.space === 'system' ? [] : [index]))
  const position = new Map(kept.map((index, at) => [index, at]))
  return {
    items: kept.map(index => items[index]!),
    references: references.flatMap(([from, to]): [number, number][] => {
      const [a, b] = [position.get(from), position.get(to)]
      return a === undefined || b === undefined ? [] : [[a, b]]
    }),
  }
}

const HEIGHT = 560
/** Around everything, on the screen: names are above their circles. */
const MARGIN = 26
/** Less than this is a hand that is not quite still. */
const STILL = 4
const STEPS: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: -60, y: 0 },
  ArrowRight: { x: 60, y: 0 },
  ArrowUp: { x: 0, y: -60 },
  ArrowDown: { x: 0, y: 60 },
}

function MapView({ map }: { map: ReferenceMap }) {
  const { go } = usePage()
  const links = useLinks()
  const canvas = useRef<HTMLCanvasElement>(null)
  // About as wide as it will be: it is laid out once.
  const [width, setWidth] = useState(() => document.getElementById('content')?.clientWidth ?? 0)
  const [view, setView] = useState<View>()
  const [chosen, setChosen] = useState<number>()
  /** Fingers on the map, or the button of a mouse that is held; and whether any has moved since the first. */
  const held = useRef(new Map<number, Point>())
  const hasMoved = useRef(false)
  // How much wider than high it is laid out, by the place that it has; not anew with each pixel.
  const aspect = Math.min(2.25, Math.max(0.5, Math.round((4 * width) / HEIGHT) / 4))
  const scene = useMemo<Omit<Scene, 'chosen'>>(
    () => ({
      layout: layoutMap(nameClusters(map.items.map(item => item.category)), aspect),
      types: map.items.map(item => item.item_type),
      labels: map.items.map(item => item.item_id.slice(item.item_id.lastIndexOf('/') + 1)),
      references: map.references,
      order: orderByReferences(map.items.length, map.references),
    }),
    [map, aspect],
  )
  const whole = useMemo<View>(() => {
    const { x, y, halfWidth, halfHeight } = scene.layout.bounds
    const across = ((width || 600) - MARGIN) / (2 * halfWidth)
    const down = (HEIGHT - 2 * MARGIN) / (2 * halfHeight)
    return { x, y, scale: Math.min(2.2, across, down) }
  }, [scene, width])
  const shownView = view ?? whole
  useEffect(() => {
    const measure = new ResizeObserver(([entry]) => setWidth(entry!.contentRect.width))
    measure.observe(canvas.current!.parentElement!)
    return () => measure.disconnect()
  }, [])
  useEffect(() => {
    const context = canvas.current?.getContext('2d')
    if (!context || width === 0) return
    const size = { width, height: HEIGHT }
    const paint = () => drawMap(context, size, { ...scene, chosen }, shownView, readColours())
    const frame = requestAnimationFrame(paint)
    const scheme = matchMedia('(prefers-color-scheme: dark)')
    scheme.addEventListener('change', paint)
    return () => {
      cancelAnimationFrame(frame)
      scheme.removeEventListener('change', paint)
    }
  }, [scene, chosen, shownView, width])
  /** From the middle of the canvas. */
  const at = (event: { offsetX: number; offsetY: number }): Point => ({
    x: event.offsetX - width / 2,
    y: event.offsetY - HEIGHT / 2,
  })
  // Several may come before the next frame: each goes on from the one before.
  const change = (step: (view: View) => View) => setView(last => step(last ?? whole))
  const nearest = (event: { offsetX: number; offsetY: number }) => {
    const point = at(event)
    const [x, y] = [point.x / shownView.scale + shownView.x, point.y / shownView.scale + shownView.y]
    let [least, found] = [Number.POSITIVE_INFINITY, -1]
    for (const [index, dot] of scene.layout.dots.entries()) {
      const distance = Math.hypot(dot.x - x, dot.y - y)
      if (distance < least) [least, found] = [distance, index]
    }
    return least * shownView.scale < 12 || least < 7 ? found : undefined
  }
  const zoom = (factor: number, still?: Point) => change(last => zoomView(last, factor, still))
  const open = (index: number) => {
    const { item_type: type, item_id: id, space } = map.items[index]!
    go(links.item({ type, id, space }))
  }
  const press = (event: KeyboardEvent) => {
    const move = STEPS[event.key]
    if (move) change(last => dragView(last, [move], [{ x: 0, y: 0 }]))
    else if (event.key === '+' || event.key === '=') zoom(1.3)
    else if (event.key === '-') zoom(1 / 1.3)
    else if (event.key === '0' || event.key === 'Escape') setView(undefined)
    else return
    event.preventDefault()
  }
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
          aria-label={`Map of ${map.items.length} items in ${scene.layout.clusters.length} categories with ${map.references.length} references. Arrow keys move, plus and minus zoom, 0 shows all.`}
          onKeyDown={press}
          onWheel={event => {
            event.preventDefault()
            zoom(event.deltaY < 0 ? 1.15 : 1 / 1.15, at(event))
          }}
          onPointerDown={event => {
            event.currentTarget.setPointerCapture(event.pointerId)
            if (held.current.size === 0) hasMoved.current = false
            held.current.set(event.pointerId, at(event))
          }}
          onPointerMove={event => {
            const from = held.current.get(event.pointerId)
            if (!from) return setChosen(nearest(event))
            const to = at(event)
            if (!hasMoved.current && Math.hypot(to.x - from.x, to.y - from.y) < STILL) return
            hasMoved.current = true
            const before = [...held.current.values()]
            held.current.set(event.pointerId, to)
            const after = [...held.current.values()]
            change(last => dragView(last, before, after))
          }}
          onPointerUp={event => {
            const isLast = held.current.delete(event.pointerId) && held.current.size === 0
            const hit = isLast && !hasMoved.current ? nearest(event) : undefined
            if (hit !== undefined) open(hit)
          }}
          onPointerCancel={event => held.current.delete(event.pointerId)}
          onPointerLeave={() => setChosen(undefined)}
        />
        <div class="map-tools">
          <button type="button" class="button" aria-label="zoom in" onClick={() => zoom(1.3)}>
            +
          </button>
          <button type="button" class="button" aria-label="zoom out" onClick={() => zoom(1 / 1.3)}>
            −
          </button>
          <button type="button" class="button" onClick={() => setView(undefined)}>
            all
          </button>
        </div>
      </div>
      <details class="map-list">
        <summary class="map-summary">The same as a list</summary>
        <ul class="columns">
          {scene.layout.clusters.map(({ name, count }) => (
            <li key={name}>
              <Go to={links.page('search', { q: '*', category: name })}>{name}</Go>{' '}
              <span class="faint">{count}</span>
            </li>
          ))}
        </ul>
      </details>
    </>
  )
}
