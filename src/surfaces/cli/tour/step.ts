// One step of the tour: what a person would type, its result, and whether that was right.
import { ACTIONS, type ActionEntry, readInput, runAction } from '../../../actions/index.ts'
import { quoteShellWord } from '../../../base/index.ts'
import type { Library } from '../../../workspace/index.ts'
import { readArguments } from '../arguments.ts'
import { renderAnswer } from '../render/answer.ts'
import { cut, fold } from '../render/columns.ts'
import { renderFailure } from '../render/failure.ts'
import type { Terminal } from '../terminal.ts'

export interface Guide {
  readonly library: Library
  readonly project: string
  readonly terminal: Terminal
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal
  /** Titles of steps that went wrong. */
  readonly wrong: string[]
  /** Titles of steps that need a program which this machine lacks. */
  readonly leftOut: string[]
}

export type Answer = Readonly<Record<string, unknown>>

const SHOWN_LINES = 9
const INDENT = '    '
const MESSAGE = /^(?:error|hint|warning): /

/** The reader has gone: `rye demo | head`. */
export class ReaderGone extends Error {}

/** Ends the tour for a reader who has gone or has interrupted it. */
function requireReader({ signal }: Guide): void {
  if (signal.aborted || !process.stdout.writable) throw new ReaderGone('nobody reads on')
}

/** Prints a heading with one sentence. */
export function chapter(guide: Guide, title: string, sentence: string): void {
  requireReader(guide)
  const { terminal } = guide
  const { bold, dim } = terminal.style
  terminal.print(`\n${bold(title)}\n${dim(fold(sentence, terminal.columns, ''))}`)
}

/** Runs a command as typed, shows the answer, and records whether it was as expected. */
export async function typeCommand(
  guide: Guide,
  words: readonly string[],
  isRight: (answer: Answer) => boolean,
): Promise<Answer> {
  const { terminal, library, project } = guide
  requireReader(guide)
  terminal.print(`\n  ${terminal.style.cyan(`$ rye ${words.map(quoteShellWord).join(' ')}`)}`)
  const { entry, rest } = find(words)
  const action = await entry.load()
  const { failed, answer } = await runAction({
    action,
    read: () =>
      readInput(
        action.fields,
        { ...readArguments(action.fields, rest).input, project_path: project },
        'person',
      ),
    context: {
      library,
      caller: 'person',
      signal: guide.signal,
      onProgress: progress => terminal.progress(progress),
      onNote: () => {},
    },
  })
  requireReader(guide)
  // Every answer is an object of JSON values.
  const shown = answer as Answer
  const narrow = { ...terminal, columns: terminal.columns - INDENT.length }
  const text = failed ? renderFailure(shown) : renderAnswer(action.name, answer, narrow)
  for (const line of shorten(text.replaceAll(`${project}/`, ''), narrow.columns))
    terminal.print(INDENT + line)
  const title = words.join(' ')
  if (shown.code === 'INTERPRETER_MISSING') {
    guide.leftOut.push(title)
    terminal.print(`    ${terminal.style.yellow('left out: this machine has no such program')}`)
  } else recordCheck(guide, title, isRight(shown))
  return shown
}

/** Records a check that failed, and says so. */
export function recordCheck(guide: Guide, title: string, right: boolean): void {
  if (right) return
  guide.wrong.push(title)
  guide.terminal.print(`    ${guide.terminal.style.red('✗ this is not what should have happened')}`)
}

function find(words: readonly string[]): { entry: ActionEntry; rest: readonly string[] } {
  for (const length of [2, 1]) {
    const entry = ACTIONS.find(candidate => candidate.name === words.slice(0, length).join(' '))
    if (entry) return { entry, rest: words.slice(length) }
  }
  throw new Error(`unreachable: the tour types an unknown command: ${words.join(' ')}`)
}

/** The first lines only. Messages are wrapped at the terminal's width, other text is cut. */
function shorten(text: string, width: number): string[] {
  const lines = text
    .split('\n')
    .filter(line => line.trim() !== '')
    .flatMap(line => (MESSAGE.test(line) ? fold(line, width).split('\n') : cut(line, width)))
  return lines.length <= SHOWN_LINES ? lines : [...lines.slice(0, SHOWN_LINES - 1), '...']
}
