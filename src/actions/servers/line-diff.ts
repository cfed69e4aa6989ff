// What differs between two texts, line by line, with one line around each change. Pure.

const MOST_LINES = 60
const MOST_LENGTH = 300
/** Texts of more lines are shown as removed and added. */
const MOST_COMPARED = 1_500

interface Line {
  readonly sign: ' ' | '-' | '+'
  readonly text: string
}

export function diffLines(before: string, after: string): string[] {
  const lines = compare(split(before), split(after))
  const isNear = (at: number) =>
    [at - 1, at, at + 1].some(index => lines[index] !== undefined && lines[index].sign !== ' ')
  const shown = lines
    .filter((_, at) => isNear(at))
    .map(({ sign, text }) => `${sign}${text}`.slice(0, MOST_LENGTH))
  if (shown.length <= MOST_LINES) return shown
  return [...shown.slice(0, MOST_LINES), `... ${shown.length - MOST_LINES} more lines`]
}

function split(text: string): string[] {
  return text.replace(/\n$/, '').split('\n')
}

/** By the longest common subsequence of what remains between the common beginning and the common end. */
function compare(before: readonly string[], after: readonly string[]): Line[] {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start++
  let end = 0
  while (
    end < before.length - start &&
    end < after.length - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  )
    end++
  const same = (text: string): Line => ({ sign: ' ', text })
  return [
    ...before.slice(0, start).map(same),
    ...compareMiddle(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...before.slice(before.length - end).map(same),
  ]
}

function compareMiddle(before: readonly string[], after: readonly string[]): Line[] {
  const removed = (text: string): Line => ({ sign: '-', text })
  const added = (text: string): Line => ({ sign: '+', text })
  if (Math.max(before.length, after.length) > MOST_COMPARED)
    return [...before.map(removed), ...after.map(added)]
  // `common[i][j]`: how many lines the ends from i and from j have in common.
  const common = Array.from({ length: before.length + 1 }, () => new Uint16Array(after.length + 1))
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      common[i]![j] =
        before[i] === after[j] ? common[i + 1]![j + 1]! + 1 : Math.max(common[i + 1]![j]!, common[i]![j + 1]!)
    }
  }
  const lines: Line[] = []
  let [i, j] = [0, 0]
  while (i < before.length || j < after.length) {
    if (i < before.length && j < after.length && before[i] === after[j]) {
      lines.push({ sign: ' ', text: before[i]! })
      i++
      j++
    } else if (i < before.length && (j === after.length || common[i + 1]![j]! >= common[i]![j + 1]!)) {
      lines.push(removed(before[i++]!))
    } else lines.push(added(after[j++]!))
  }
  return lines
}
