// Which names of clusters are written: where two would lie on each other, the first one alone; near enough, all of them have room.

export interface Box {
  /** The middle. */
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** The positions of those that are written. */
export function chooseLabels(boxes: readonly Box[]): number[] {
  const chosen: number[] = []
  for (const [index, box] of boxes.entries())
    if (chosen.every(other => !touches(box, boxes[other]!))) chosen.push(index)
  return chosen
}

function touches(a: Box, b: Box): boolean {
  return Math.abs(a.x - b.x) * 2 < a.width + b.width && Math.abs(a.y - b.y) * 2 < a.height + b.height
}
