// Paints the map on a canvas. From far away, clusters and the traffic between them; close up, each item with
// its name and references.
import type { View } from './gesture.ts'
import { type Box, chooseLabels } from './labels.ts'
import type { MapLayout } from './layout.ts'

export interface Scene {
  readonly layout: MapLayout
  readonly types: readonly string[]
  readonly labels: readonly string[]
  readonly references: readonly (readonly [number, number])[]
  /** The items, most references first: names are written in this order while there is room. */
  readonly order: readonly number[]
  /** The item under the pointer. */
  readonly chosen: number | undefined
}

export interface Colours {
  readonly text: string
  readonly faint: string
  readonly line: string
  readonly panel: string
  readonly accent: string
  readonly types: Readonly<Record<string, string>>
}

const NAMES_FROM = 1.1
/** Radius of a dot on the map, its limit on the screen, and its factor under the pointer. */
const [RADIUS, MOST_PIXELS, CHOSEN] = [4.5, 8, 1.5]
/** Radius on the screen from which a cluster's name is written, and from which its count is written too. */
const [LEAST_RADIUS, WIDE_RADIUS] = [6, 44]
const LINES_FROM = 1.1

export interface Size {
  readonly width: number
  readonly height: number
}

export function drawMap(
  context: CanvasRenderingContext2D,
  size: Size,
  scene: Scene,
  view: View,
  colours: Colours,
): void {
  const ratio = devicePixelRatio
  context.setTransform(ratio, 0, 0, ratio, 0, 0)
  context.clearRect(0, 0, size.width, size.height)
  context.translate(size.width / 2, size.height / 2)
  context.scale(view.scale, view.scale)
  context.translate(-view.x, -view.y)
  drawClusters(context, scene, view, colours)
  drawReferences(context, scene, view, colours)
  drawDots(context, scene, view, colours)
  drawNames(context, size, scene, view, colours)
}

function drawClusters(
  context: CanvasRenderingContext2D,
  { layout }: Scene,
  view: View,
  colours: Colours,
): void {
  for (const { x, y, radius } of layout.clusters) {
    context.beginPath()
    context.arc(x, y, radius, 0, 2 * Math.PI)
    context.fillStyle = colours.panel
    context.fill()
    context.lineWidth = 1 / view.scale
    context.strokeStyle = colours.line
    context.stroke()
  }
}

function drawReferences(context: CanvasRenderingContext2D, scene: Scene, view: View, colours: Colours): void {
  const { layout, references, chosen } = scene
  const path = (pairs: readonly (readonly [number, number])[], style: string, width: number) => {
    context.beginPath()
    for (const [from, to] of pairs) {
      const [a, b] = [layout.dots[from]!, layout.dots[to]!]
      context.moveTo(a.x, a.y)
      context.quadraticCurveTo(
        (a.x + b.x) / 2,
        (a.y + b.y) / 2 - Math.hypot(a.x - b.x, a.y - b.y) * 0.08,
        b.x,
        b.y,
      )
    }
    context.strokeStyle = style
    context.lineWidth = width / view.scale
    context.stroke()
  }
  if (view.scale >= LINES_FROM || references.length < 400) path(references, colours.line, 1)
  else drawTraffic(context, scene, view, colours)
  if (chosen !== undefined)
    path(
      references.filter(pair => pair.includes(chosen)),
      colours.accent,
      1.6,
    )
}

/** One line for all references between two clusters; the more there are, the wider it is. */
function drawTraffic(
  context: CanvasRenderingContext2D,
  { layout, references }: Scene,
  view: View,
  colours: Colours,
): void {
  const counts = new Map<string, number>()
  for (const [from, to] of references) {
    const [a, b] = [layout.dots[from]!.cluster, layout.dots[to]!.cluster].sort((x, y) => x - y) as [
      number,
      number,
    ]
    if (a !== b) counts.set(`${a} ${b}`, (counts.get(`${a} ${b}`) ?? 0) + 1)
  }
  context.strokeStyle = colours.line
  for (const [pair, count] of counts) {
    const [a, b] = pair.split(' ').map(index => layout.clusters[Number(index)]!) as [
      MapLayout['clusters'][number],
      MapLayout['clusters'][number],
    ]
    context.beginPath()
    context.moveTo(a.x, a.y)
    context.lineTo(b.x, b.y)
    context.lineWidth = Math.min(8, 1 + Math.log2(count)) / view.scale
    context.stroke()
  }
}

function drawDots(
  context: CanvasRenderingContext2D,
  { layout, types, chosen }: Scene,
  view: View,
  colours: Colours,
): void {
  const usual = radiusAt(view)
  // One path per colour: a path per dot would take most of a frame.
  for (const [type, colour] of Object.entries(colours.types)) {
    context.beginPath()
    for (const [index, { x, y }] of layout.dots.entries()) {
      if (types[index] !== type) continue
      const radius = index === chosen ? CHOSEN * usual : usual
      context.moveTo(x + radius, y)
      context.arc(x, y, radius, 0, 2 * Math.PI)
    }
    context.fillStyle = colour
    context.fill()
  }
}

interface Name extends Box {
  readonly text: string
  readonly font: string
  readonly colour: string
}

/**
 * Names of clusters and, close up, of their items. Where two collide, the larger cluster wins, then the item
 * with more references.
 */
function drawNames(
  context: CanvasRenderingContext2D,
  { width, height }: Size,
  { layout, labels, order, chosen }: Scene,
  view: View,
  colours: Colours,
): void {
  const pixels = (count: number) => count / view.scale
  const font = (size: number, weight = '') => `${weight} ${pixels(size)}px system-ui, sans-serif`
  const [large, small] = [font(13, '600'), font(11)]
  const [reachX, reachY] = [pixels(width / 2), pixels(height / 2)]
  const isInSight = ({ x, y }: { readonly x: number; readonly y: number }) =>
    Math.abs(x - view.x) < reachX && Math.abs(y - view.y) < reachY
  const measure = (text: string, x: number, y: number, style: Pick<Name, 'font' | 'colour'>): Name => {
    context.font = style.font
    const wide = context.measureText(text).width + pixels(8)
    // Near the edge a name is moved inwards instead of being cut.
    const most = Math.max(0, reachX - wide / 2)
    const middle = view.x + Math.min(most, Math.max(-most, x - view.x))
    return { text, x: isInSight({ x, y }) ? middle : x, y, width: wide, height: pixels(15), ...style }
  }
  const write = ({ text, x, y, font: face, colour }: Omit<Name, 'width' | 'height'>) => {
    context.font = face
    context.fillStyle = colour
    // An outline sets it apart from dots and lines behind it.
    context.strokeText(text, x, y)
    context.fillText(text, x, y)
  }
  context.textAlign = 'center'
  context.strokeStyle = colours.panel
  context.lineWidth = pixels(4)
  context.lineJoin = 'round'
  const clusters = layout.clusters
    .filter(({ radius }) => radius >= pixels(LEAST_RADIUS))
    .map(({ name, count, x, y, radius }) =>
      radius >= pixels(WIDE_RADIUS)
        ? measure(`${name} ${count}`, x, y - radius - pixels(6), { font: large, colour: colours.text })
        : measure(name, x, y - radius - pixels(4), { font: small, colour: colours.text }),
    )
  const near = view.scale < NAMES_FROM ? [] : order.filter(index => isInSight(layout.dots[index]!))
  const dot = radiusAt(view)
  const items = near.map(index => {
    const { x, y } = layout.dots[index]!
    return measure(labels[index]!, x, y + dot + pixels(12), { font: small, colour: colours.faint })
  })
  const names = [...clusters, ...items]
  const dots = near.map(index => ({ ...layout.dots[index]!, width: 2 * dot, height: 2 * dot }))
  for (const index of chooseLabels(names, dots)) write(names[index]!)
  if (chosen === undefined) return
  const { x, y } = layout.dots[chosen]!
  write({ text: labels[chosen]!, x, y: y - CHOSEN * dot - pixels(4), font: large, colour: colours.text })
}

/** Close up, dots stay small beside their names. */
function radiusAt({ scale }: View): number {
  return Math.min(RADIUS, MOST_PIXELS / scale)
}
