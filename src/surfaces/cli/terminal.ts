// What the command line writes, and where: answers to standard output, everything else to standard error.
// Colours only for a terminal, and never under NO_COLOR; a progress line only for a terminal.
import { escapeHidden } from '../../base/index.ts'
import { fold } from './render/columns.ts'

export interface Style {
  readonly bold: (text: string) => string
  readonly dim: (text: string) => string
  readonly red: (text: string) => string
  readonly green: (text: string) => string
  readonly yellow: (text: string) => string
  readonly cyan: (text: string) => string
}

export interface Output {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

export interface Terminal {
  /** For text on standard output. */
  readonly style: Style
  readonly columns: number
  print(text: string): void
  /** Set by `--quiet`: no progress, no notes, no reports of success. */
  readonly quiet: boolean
  /** Prints a warning or an error on standard error. */
  say(text: string): void
  /** The same, unless `quiet` is set. */
  note(text: string): void
  /**
   * Shows how far a task has come; the next `print` or `say` clears it. Without a terminal, prints lines
   * about waits only.
   */
  progress(progress: ShownProgress): void
}

export interface ShownProgress {
  readonly message: string
  readonly done: number
  readonly total?: number
  readonly waits?: true
}

const NARROWEST = 40
/** How often a log is told about a wait. */
const LOG_MS = 15_000

export function createTerminal(
  stdout: Output,
  stderr: Output,
  options: { readonly color: boolean; readonly quiet: boolean },
): Terminal {
  let barShown = false
  let lastDrawn = 0
  const clear = () => {
    if (barShown) stderr.write('\r\u001b[2K')
    barShown = false
  }
  const say = (text: string) => {
    clear()
    const width = widthOf(stderr)
    // Output of a program is not wrapped.
    const lines = escapeHidden(text)
      .split('\n')
      .map(line => (line.startsWith('  | ') ? line : fold(line, width)))
    stderr.write(`${lines.join('\n')}\n`)
  }
  return {
    quiet: options.quiet,
    say,
    note(text) {
      if (!options.quiet) say(text)
    },
    style: createStyle(options.color && stdout.isTTY === true),
    columns: widthOf(stdout),
    print(text) {
      clear()
      stdout.write(`${text}\n`)
    },
    progress({ message, done, total, waits }) {
      if (options.quiet) return
      const now = performance.now()
      if (stderr.isTTY !== true) {
        if (!waits || (done > 0 && now - lastDrawn < LOG_MS)) return
        lastDrawn = now
        say(escapeHidden(message, { oneLine: true }))
        return
      }
      if (now - lastDrawn < 50 && done !== total) return
      lastDrawn = now
      barShown = true
      stderr.write(`\r\u001b[2K${progressLine(escapeHidden(message, { oneLine: true }), done, total)}`)
    },
  }
}

/**
 * Unlimited without a terminal, since another program reads whole lines. A terminal that does not know its
 * width reports 0.
 */
function widthOf({ isTTY, columns }: Output): number {
  return isTTY === true ? Math.max(NARROWEST, columns || 100) : Number.POSITIVE_INFINITY
}

function progressLine(message: string, done: number, total: number | undefined): string {
  if (!total) return `${message} ${done || '...'}`
  const width = 24
  const filled = Math.min(width, Math.round((done / total) * width))
  return `${message} ${'█'.repeat(filled)}${'░'.repeat(width - filled)} ${done}/${total}`
}

function createStyle(color: boolean): Style {
  const paint = (open: number, close: number) => (text: string) =>
    color ? `\u001b[${open}m${text}\u001b[${close}m` : text
  return {
    bold: paint(1, 22),
    dim: paint(2, 22),
    red: paint(31, 39),
    green: paint(32, 39),
    yellow: paint(33, 39),
    cyan: paint(36, 39),
  }
}
