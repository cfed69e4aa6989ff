// Merges two changes of one text line by line, where they do not touch each other.
import { compareLines } from './line-diff.ts'

interface Hunk {
  /** Line range in the text that both changes started from. */
  readonly from: number
  readonly to: number
  readonly lines: readonly string[]
}

/** Undefined when both changed the same lines, or adjacent lines, in different ways. */
export function mergeLines(base: string, ours: string, theirs: string): string | undefined {
  const lines = base.split('\n')
  const [own, other] = [hunksOf(lines, ours), hunksOf(lines, theirs)]
  const fresh = other.filter(hunk => !own.some(mine => isSame(mine, hunk)))
  if (fresh.some(hunk => own.some(mine => mine.from <= hunk.to && hunk.from <= mine.to))) return undefined
  const merged: string[] = []
  let at = 0
  for (const { from, to, lines: put } of [...own, ...fresh].sort((a, b) => a.from - b.from)) {
    merged.push(...lines.slice(at, from), ...put)
    at = to
  }
  return [...merged, ...lines.slice(at)].join('\n')
}

function hunksOf(base: readonly string[], text: string): Hunk[] {
  const hunks: Hunk[] = []
  let [at, from] = [0, 0]
  let lines: string[] = []
  const end = () => {
    if (at > from || lines.length > 0) hunks.push({ from, to: at, lines })
    lines = []
  }
  for (const { mark, text: line } of compareLines(base, text.split('\n'))) {
    if (mark === '+') lines.push(line)
    if (mark === ' ') {
      end()
      from = at + 1
    }
    if (mark !== '+') at += 1
  }
  end()
  return hunks
}

function isSame(one: Hunk, other: Hunk): boolean {
  if (one.from !== other.from || one.to !== other.to || one.lines.length !== other.lines.length) return false
  return one.lines.every((line, at) => line === other.lines[at])
}
