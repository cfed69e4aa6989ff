// Paints the map on a canvas. Far away, clusters and the traffic between them; near, each item with its name and references.
import { chooseLabels } from './labels.ts'
import type { MapLayout } from './layout.ts'

export interface View {
  readonly x: number
  readonly y: number
  readonly scale: number
}

export interface Scene {
  readonly layout: MapLayout
  readonly types: readonly string[]
  readonly labels: readonly string[]
  readonly references: readonly (readonly [number, number])[]
  /** Item under the pointer. */
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

const NAMES_FROM = 1.6
/** Of a cluster whose name is written, on the screen. */
const LEAST_RADIUS = 6
const LINES_FROM = 1.1

export function drawMap(
  context: CanvasRenderingContext2D,
  size: { width: number; height: number },
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
  drawDots(context, scene, colours)
  drawNames(context, scene, view, colours)
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

/** One line for all references between two clusters, the wider the more there are. */
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
  colours: Colours,
): void {
  // One path for each colour: a path for each dot would take most of a frame.
  for (const [type, colour] of Object.entries(colours.types)) {
    context.beginPath()
    for (const [index, { x, y }] of layout.dots.entries()) {
      if (types[index] !== type) continue
      const radius = index === chosen ? 7 : 4.5
      context.moveTo(x + radius, y)
      context.arc(x, y, radius, 0, 2 * Math.PI)
    }
    context.fillStyle = colour
    context.fill()
  }
}

function drawNames(context: CanvasRenderingContext2D, scene: Scene, view: View, colours: Colours): void {
  const { layout, labels, chosen } = scene
  const font = (size: number, weight = '') => `${weight} ${size / view.scale}px system-ui, sans-serif`
  context.textAlign = 'center'
  context.fillStyle = colours.text
  context.font = font(13, '600')
  context.strokeStyle = colours.panel
  context.lineWidth = 4 / view.scale
  context.lineJoin = 'round'
  const names = layout.clusters
    .filter(({ radius }) => radius * view.scale >= LEAST_RADIUS)
    .map(({ name, count, x, y, radius }) => {
      const text = `${name} ${count}`
      const width = context.measureText(text).width + 8 / view.scale
      return { text, x, y: y - radius - 6 / view.scale, width, height: 15 / view.scale }
    })
  for (const index of chooseLabels(names)) {
    const { text, x, y } = names[index]!
    // Apart from the dots that it may lie on.
    context.strokeText(text, x, y)
    context.fillText(text, x, y)
  }
  context.fillStyle = colours.faint
  context.font = font(11)
  if (view.scale >= NAMES_FROM)
    for (const [index, { x, y }] of layout.dots.entries())
      context.fillText(labels[index]!, x, y + 15 / Math.max(1, view.scale * 0.7))
  if (chosen === undefined) return
  const { x, y } = layout.dots[chosen]!
  context.font = font(13, '600')
  context.fillStyle = colours.text
  context.fillText(labels[chosen]!, x, y - 10)
}
