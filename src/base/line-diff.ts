// What differs between two texts, for a person to read: removed and added lines with a little context.

const AROUND = 2
/** Beyond this, everything between the first and the last difference is shown as replaced, to save time. */
const MOST_PAIRS = 4_000_000

interface Step {
  readonly mark: ' ' | '-' | '+'
  readonly text: string
}

/** Lines prefixed with `+`, `-` or a blank; `...` stands for unchanged lines. Empty for equal texts. */
export function diffLines(before: string, after: string): string[] {
  const steps = compareLines(before.split('\n'), after.split('\n'))
  const isNear = (index: number) =>
    steps.slice(Math.max(0, index - AROUND), index + AROUND + 1).some(({ mark }) => mark !== ' ')
  const lines: string[] = []
  for (const [index, { mark, text }] of steps.entries()) {
    if (isNear(index)) lines.push(`${mark}${text}`.trimEnd())
    else if (lines.at(-1) !== '...') lines.push('...')
  }
  return lines.every(line => line === '...') ? [] : lines
}

/** The lines of both texts in one order, each marked as removed, added or unchanged. */
export function compareLines(before: readonly string[], after: readonly string[]): Step[] {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start++
  let end = 0
  while (
    end < before.length - start &&
    end < after.length - start &&
    before.at(-1 - end) === after.at(-1 - end)
  )
    end++
  const same = (text: string): Step => ({ mark: ' ', text })
  return [
    ...before.slice(0, start).map(same),
    ...compareMiddle(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...before.slice(before.length - end).map(same),
  ]
}

/** By the longest common subsequence. */
function compareMiddle(before: readonly string[], after: readonly string[]): Step[] {
  const [gone, came] = [
    before.map((text): Step => ({ mark: '-', text })),
    after.map((text): Step => ({ mark: '+', text })),
  ]
  if (before.length * after.length > MOST_PAIRS) return [...gone, ...came]
  const width = after.length + 1
  const longest = new Uint32Array((before.length + 1) * width)
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      longest[i * width + j] =
        before[i] === after[j]
          ? longest[(i + 1) * width + j + 1]! + 1
          : Math.max(longest[(i + 1) * width + j]!, longest[i * width + j + 1]!)
    }
  }
  const steps: Step[] = []
  let [i, j] = [0, 0]
  while (i < before.length && j < after.length) {
    if (before[i] === after[j]) {
      steps.push({ mark: ' ', text: before[i]! })
      i++
      j++
    } else if (longest[(i + 1) * width + j]! >= longest[i * width + j + 1]!) steps.push(gone[i++]!)
    else steps.push(came[j++]!)
  }
  return [...steps, ...gone.slice(i), ...came.slice(j)]
}
