// Reduces Python text to an outline, without the bodies of functions, classes and `__main__` blocks.
// Constants, names and the first line of every definition stay on their lines. Function bodies are most of a
// file and say nothing about its metadata; other blocks stay, since they may bind the same names.
import type { Line } from './layout.ts'

const ASIDE = /(?:async[ \t]+)?(?:def|class)\b|if __name__ == (?:"__main__"|'__main__'):/y

/** The text with each such block replaced by `pass`. Lines keep their numbers. */
export function withoutBlocks(text: string, lines: readonly Line[]): string {
  let outline = ''
  let depth = 0
  let isAside = false
  let blockStart = -1
  lines.forEach((line, index) => {
    const begins = depth === 0 && !line.continued
    if (begins && line.indent > 0 && isAside && blockStart < 0) blockStart = index
    else if (begins && line.indent === 0) {
      if (blockStart >= 0) outline += emptyBlock(index - blockStart)
      blockStart = -1
      ASIDE.lastIndex = line.start
      isAside = ASIDE.test(text)
    }
    if (blockStart < 0) outline += text.slice(line.start, lines[index + 1]?.start)
    depth = Math.max(0, depth + line.balance)
  })
  return blockStart < 0 ? outline : outline + emptyBlock(lines.length - blockStart)
}

function emptyBlock(height: number): string {
  return ` pass${'\n'.repeat(height)}`
}
