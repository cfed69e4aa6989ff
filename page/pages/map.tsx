// The library as a map: categories as circles, items as dots, references as lines.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { ReferenceMap } from '../../src/surfaces/ui/reference-map.ts'
import { references } from '../connection.ts'
import { readColours } from '../map/colours.ts'
import { drawMap, type Scene, type View } from '../map/draw.ts'
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

function MapView({ map }: { map: ReferenceMap }) {
  const { go } = usePage()
  const links = useLinks()
  const canvas = useRef<HTMLCanvasElement>(null)
  // About as wide as it will be: it is laid out once.
  const [width, setWidth] = useState(() => document.getElementById('content')?.clientWidth ?? 0)
  const [view, setView] = useState<View>()
  const [chosen, setChosen] = useState<number>()
  const drag = useRef<{ x: number; y: number; moved: boolean } | undefined>(undefined)
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
  const at = (event: { offsetX: number; offsetY: number }) => ({
    x: (event.offsetX - width / 2) / shownView.scale + shownView.x,
    y: (event.offsetY - HEIGHT / 2) / shownView.scale + shownView.y,
  })
  const nearest = (event: { offsetX: number; offsetY: number }) => {
    const { x, y } = at(event)
    let [least, found] = [Number.POSITIVE_INFINITY, -1]
    for (const [index, dot] of scene.layout.dots.entries()) {
      const distance = Math.hypot(dot.x - x, dot.y - y)
      if (distance < least) [least, found] = [distance, index]
    }
    return least * shownView.scale < 12 || least < 7 ? found : undefined
  }
  /** What is at the middle, or under the pointer, stays where it is. */
  const zoom = (factor: number, still: { readonly x: number; readonly y: number } = shownView) => {
    const scale = Math.min(6, Math.max(0.1, shownView.scale * factor))
    const move = (from: number, to: number) => to - ((to - from) * shownView.scale) / scale
    setView({ x: move(shownView.x, still.x), y: move(shownView.y, still.y), scale })
  }
  const open = (index: number) => {
    const { item_type: type, item_id: id, space } = map.items[index]!
    go(links.item({ type, id, space }))
  }
  const press = (event: KeyboardEvent) => {
    const step = 60 / shownView.scale
    const moves: Record<string, [number, number]> = {
      ArrowLeft: [-step, 0],
      ArrowRight: [step, 0],
      ArrowUp: [0, -step],
      ArrowDown: [0, step],
    }
    const move = moves[event.key]
    if (move) setView({ ...shownView, x: shownView.x + move[0], y: shownView.y + move[1] })
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
            drag.current = { x: event.clientX, y: event.clientY, moved: false }
          }}
          onPointerMove={event => {
            const held = drag.current
            if (!held) return setChosen(nearest(event))
            const [dx, dy] = [event.clientX - held.x, event.clientY - held.y]
            if (!held.moved && Math.hypot(dx, dy) < 4) return
            drag.current = { x: event.clientX, y: event.clientY, moved: true }
            setView({
              ...shownView,
              x: shownView.x - dx / shownView.scale,
              y: shownView.y - dy / shownView.scale,
            })
          }}
          onPointerUp={event => {
            const hit = drag.current?.moved === false ? nearest(event) : undefined
            drag.current = undefined
            if (hit !== undefined) open(hit)
          }}
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
