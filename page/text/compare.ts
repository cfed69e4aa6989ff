// Compares two texts line by line: Myers' shortest edit script within bounds, and one changed block beyond
// them.

export interface Line {
  readonly number: number
  readonly text: string
}

export interface DiffRow {
  readonly kind: 'same' | 'changed' | 'removed' | 'added'
  readonly left?: Line
  readonly right?: Line
}

/** Nobody reads more edits than this one by one. */
const MOST_EDITS = 1500

export function compareTexts(left: string, right: string): DiffRow[] {
  const [a, b] = [splitLines(left), splitLines(right)]
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1
  let end = 0
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end += 1
  const middle = editScript(a.slice(start, a.length - end), b.slice(start, b.length - end))
  const same = (count: number) => Array.from({ length: count }, () => 'same' as const)
  return pairUp([...same(start), ...middle, ...same(end)], a, b)
}

type Edit = 'same' | 'removed' | 'added'

function splitLines(text: string): string[] {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}

function editScript(a: readonly string[], b: readonly string[]): Edit[] {
  const whole = [...a.map(() => 'removed' as const), ...b.map(() => 'added' as const)]
  if (a.length === 0 || b.length === 0) return whole
  const trace: Map<number, number>[] = []
  let furthest = new Map<number, number>([[1, 0]])
  for (let edits = 0; edits <= Math.min(a.length + b.length, MOST_EDITS); edits++) {
    const next = new Map<number, number>()
    trace.push(furthest)
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const down =
        diagonal === -edits || (diagonal !== edits && at(furthest, diagonal - 1) < at(furthest, diagonal + 1))
      let x = down ? at(furthest, diagonal + 1) : at(furthest, diagonal - 1) + 1
      let y = x - diagonal
      while (x < a.length && y < b.length && a[x] === b[y]) {
        x += 1
        y += 1
      }
      next.set(diagonal, x)
      if (x >= a.length && y >= b.length) return walkBack(trace, a.length, b.length)
    }
    furthest = next
  }
  return whole
}

function at(furthest: ReadonlyMap<number, number>, diagonal: number): number {
  return furthest.get(diagonal) ?? -1
}

function walkBack(trace: readonly Map<number, number>[], width: number, height: number): Edit[] {
  const edits: Edit[] = []
  let [x, y] = [width, height]
  for (let step = trace.length - 1; step >= 0; step--) {
    const furthest = trace[step]!
    const diagonal = x - y
    const down =
      diagonal === -step || (diagonal !== step && at(furthest, diagonal - 1) < at(furthest, diagonal + 1))
    const previous = down ? diagonal + 1 : diagonal - 1
    const fromX = step === 0 ? 0 : at(furthest, previous)
    const fromY = step === 0 ? 0 : fromX - previous
    while (x > fromX && y > fromY) {
      edits.push('same')
      x -= 1
      y -= 1
    }
    if (step === 0) break
    edits.push(down ? 'added' : 'removed')
    ;[x, y] = [fromX, fromY]
  }
  return edits.reverse()
}

/** A removed line and an added one at the same place become one changed line. */
function pairUp(edits: readonly Edit[], a: readonly string[], b: readonly string[]): DiffRow[] {
  const rows: DiffRow[] = []
  let [i, j, at] = [0, 0, 0]
  const left = (): Line => ({ number: i + 1, text: a[i++]! })
  const right = (): Line => ({ number: j + 1, text: b[j++]! })
  while (at < edits.length) {
    if (edits[at] === 'same') {
      rows.push({ kind: 'same', left: left(), right: right() })
      at += 1
      continue
    }
    let [removed, added] = [0, 0]
    for (; at < edits.length && edits[at] !== 'same'; at++) edits[at] === 'removed' ? removed++ : added++
    for (; removed > 0 || added > 0; removed--, added--) {
      if (removed > 0 && added > 0) rows.push({ kind: 'changed', left: left(), right: right() })
      else if (removed > 0) rows.push({ kind: 'removed', left: left() })
      else rows.push({ kind: 'added', right: right() })
    }
  }
  return rows
}

export type DiffPart = readonly DiffRow[] | { readonly skipped: readonly DiffRow[] }

const CONTEXT = 3

/** Folds away rows that are the same and far from any change. */
export function foldSame(rows: readonly DiffRow[]): DiffPart[] {
  const near = new Set<number>()
  for (const [index, row] of rows.entries()) {
    if (row.kind === 'same') continue
    for (let i = index - CONTEXT; i <= index + CONTEXT; i++) near.add(i)
  }
  const parts: DiffPart[] = []
  let at = 0
  while (at < rows.length) {
    let end = at
    while (end < rows.length && near.has(end) === near.has(at)) end += 1
    const part = rows.slice(at, end)
    parts.push(near.has(at) || part.length <= 2 ? part : { skipped: part })
    at = end
  }
  return parts
}

/** What differs between two lines: the part after their common start and before their common end. */
export function compareLines(
  left: string,
  right: string,
): { start: number; leftEnd: number; rightEnd: number } {
  let start = 0
  while (start < left.length && start < right.length && left[start] === right[start]) start += 1
  let end = 0
  const most = Math.min(left.length, right.length) - start
  while (end < most && left.at(-1 - end) === right.at(-1 - end)) end += 1
  return { start, leftEnd: left.length - end, rightEnd: right.length - end }
}
