// Which names are written: where two would overlap, only the first one. Close up, there is room for all.

export interface Box {
  /** The middle of the box. */
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** The indexes of the names to write: none overlaps another, or anything in `taken`. */
export function chooseLabels(boxes: readonly Box[], taken: readonly Box[] = []): number[] {
  const highest = [...boxes, ...taken].reduce((most, { height }) => Math.max(most, height), 0)
  // Boxes that touch are in the same row or a neighbouring one, so of thousands of dots few are compared.
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
