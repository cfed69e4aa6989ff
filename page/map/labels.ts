// Which names are written: where two would lie on each other, the first one alone; near enough, all of them have room.

export interface Box {
  /** The middle. */
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** The positions of those that are written: none on another, none on what is `taken`. */
export function chooseLabels(boxes: readonly Box[], taken: readonly Box[] = []): number[] {
  const highest = [...boxes, ...taken].reduce((most, { height }) => Math.max(most, height), 0)
  // What touches is in the same row, or in the next: of thousands of dots, few are asked about.
  const rows = new Map<number, Box[]>()
  const rowOf = ({ y }: Box) => Math.floor(y / highest)
  const take = (box: Box) => {
    const row = rows.get(rowOf(box))
    if (row) row.push(box)
    else rows.set(rowOf(box), [box])
  }
  const isFree = (box: Box) =>
    [-1, 0, 1].every(step => !rows.get(rowOf(box) + step)?.some(other => touches(box, other)))
  for (const box of taken) take(box)
  const chosen: number[] = []
  for (const [index, box] of boxes.entries()) {
    if (!isFree(box)) continue
    take(box)
    chosen.push(index)
  }
  return chosen
}

function touches(a: Box, b: Box): boolean {
  return Math.abs(a.x - b.x) * 2 < a.width + b.width && Math.abs(a.y - b.y) * 2 < a.height + b.height
}
