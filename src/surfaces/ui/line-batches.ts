// Sends what a tool writes while it runs, a few times a second however fast it comes: only the last lines of
// each interval, with long lines cut.
import { cutText } from '../../base/index.ts'

export interface LineBatches {
  push(line: string): void
  /** Sends what is left immediately. */
  end(): void
}

const EVERY_MS = 100
const MOST_LINES = 200
const LONGEST_LINE = 2000

export function batchLines(send: (lines: readonly string[]) => void): LineBatches {
  let lines: string[] = []
  let skipped = 0
  let timer: NodeJS.Timeout | undefined
  const flush = () => {
    timer = undefined
    if (lines.length > 0) send(skipped === 0 ? lines : [`… ${skipped} lines …`, ...lines])
    lines = []
    skipped = 0
  }
  return {
    push(line) {
      lines.push(cutText(line, LONGEST_LINE))
      if (lines.length > MOST_LINES) {
        lines.shift()
        skipped += 1
      }
      timer ??= setTimeout(flush, EVERY_MS)
    },
    end() {
      clearTimeout(timer)
      flush()
    },
  }
}
