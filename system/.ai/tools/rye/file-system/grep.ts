// Searches the content of the project's files.
import vm from 'node:vm'
import {
  codeOf,
  type Folder,
  failure,
  find,
  type Place,
  Refused,
  readBytes,
  type Step,
  withEntry,
  withFile,
} from './_inside.ts'
import { compileGlob, walk } from './_walk.ts'

export const __version__ = '1.1.0'
export const __tool_type__ = 'javascript'
export const __executor_id__ = 'rye/core/runtimes/node/node'
export const __category__ = 'rye/file-system'
export const __tool_description__ =
  "Search for text in the project's files: words or regular expression, with lines around matches"

export const tags = ['search', 'grep', 'find', 'text', 'regex', 'content', 'occurrences', 'code']

export const CONFIG = { timeout: 60, permissions: { network: false } }

export const CONFIG_SCHEMA = {
  type: 'object',
  properties: {
    pattern: {
      type: 'string',
      minLength: 1,
      maxLength: 1000,
      description: 'Regular expression of JavaScript, searched line by line',
    },
    literal: { type: 'boolean', default: false, description: 'Take the pattern as plain text' },
    ignore_case: { type: 'boolean', default: false, description: 'Upper and lower case are the same' },
    path: { type: 'string', default: '.', description: 'File or folder to search, relative to the project' },
    glob: {
      type: 'string',
      maxLength: 1000,
      description: 'Only files that fit, such as `*.py` or `src/**/*.ts`',
    },
    context: {
      type: 'integer',
      minimum: 0,
      maximum: 10,
      default: 0,
      description: 'Lines to show around a match',
    },
    files_only: { type: 'boolean', default: false, description: 'Answer with the files alone' },
    limit: {
      type: 'integer',
      minimum: 1,
      maximum: 2000,
      default: 200,
      description: 'Most matches, or files, to answer',
    },
  },
  required: ['pattern'],
  additionalProperties: false,
}

const MOST_FILE_BYTES = 5_000_000
const LOOKED_AT_BYTES = 8192
const MOST_LINE = 1000
const MOST_TEXT = 300_000
/** Files are searched in batches, each within what is left of the time. */
const BATCH_FILES = 64
const BATCH_BYTES = 1_000_000
const MOST_MS = 50_000

interface Parameters {
  readonly pattern: string
  readonly literal?: boolean
  readonly ignore_case?: boolean
  readonly path?: string
  readonly glob?: string
  readonly context?: number
  readonly files_only?: boolean
  readonly limit?: number
}

/** Answers with matches in order of files and lines. Binary files, files over 5 MB and links are passed over. */
export function execute(params: Parameters, projectPath: string): object {
  const { path: name = '.', glob = '**' } = params
  try {
    const search = new Search(compilePattern(params), params)
    const test = compileGlob(glob.includes('/') ? glob : `**/${glob}`)
    const place = find(projectPath, name)
    try {
      searchFolder(place, test, search)
    } catch (thrown) {
      if (codeOf(thrown) !== 'ENOTDIR') throw thrown
      if (test(place.steps.slice(-1)))
        search.add(
          place.steps.join('/'),
          withFile(place, (file, { size }) => readBytes(file, Math.min(size, MOST_FILE_BYTES))),
        )
    }
    return { success: true, ...search.finish() }
  } catch (thrown) {
    return failure(thrown, name)
  }
}

function searchFolder(
  { root, steps: start }: Place,
  test: (steps: readonly string[]) => boolean,
  search: Search,
): void {
  walk(root, start, ({ steps, folder, names }) => {
    const here = steps.map(String)
    for (const name of names) {
      if (search.isFull) return false
      const path = [...here, name.toString()]
      if (test(path.slice(start.length))) search.add(path.join('/'), readBeside(folder, name))
    }
    return !search.isFull
  })
}

/** The content of a regular file of bounded size, or nothing. */
function readBeside(folder: Folder, name: Step): Buffer {
  const nothing = Buffer.alloc(0)
  try {
    const read = (file: number, { size }: { size: number }) =>
      size <= MOST_FILE_BYTES ? readBytes(file, size) : nothing
    return withEntry(folder, name, read) ?? nothing
  } catch {
    return nothing
  }
}

type LineTest = (line: string) => boolean

/** The search for one line. */
function compilePattern({ pattern, literal = false, ignore_case = false }: Parameters): LineTest {
  if (literal && !ignore_case) return line => line.includes(pattern)
  const escaped = literal ? pattern.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&') : pattern
  const [, inline, source] = /^\(\?([imsxu]+)\)(.*)$/s.exec(escaped) ?? [null, '', escaped]
  const flags = ignore_case || inline!.includes('i') ? 'i' : ''
  try {
    const expression = compileExpression(source!, flags)
    return line => expression.test(line)
  } catch (thrown) {
    const reason = String(thrown).replace(/^.*: /s, '').toLowerCase()
    throw new Refused(
      `\`${pattern}\` is no regular expression: ${reason}; set literal to search for it as text`,
    )
  }
}

/** With the words of every language if it can be read so: any character may be escaped only without. */
function compileExpression(source: string, flags: string): RegExp {
  try {
    return new RegExp(translate(source), `${flags}u`)
  } catch {
    return new RegExp(source, flags)
  }
}

const WORD = '\\p{L}\\p{M}\\p{N}_'
const MEANT: Readonly<Record<string, string>> = {
  '\\A': '^',
  '\\Z': '$',
  '(?P<': '(?<',
  '\\w': `[${WORD}]`,
  '\\W': `[^${WORD}]`,
  '\\b': `(?:(?<=[${WORD}])(?![${WORD}])|(?<![${WORD}])(?=[${WORD}]))`,
  '\\B': `(?:(?<=[${WORD}])(?=[${WORD}])|(?<![${WORD}])(?![${WORD}]))`,
}
const PIECE = /\\.|\[\^?\]?|\]|\(\?P<|\(\?P=(\w+)\)|\(\?#[^)]*\)|\{,(\d+)\}/gs

/** Letters are those of every language, and what Python alone spells in another way is understood. */
function translate(source: string): string {
  let inList = false
  return source.replaceAll(PIECE, (found: string, name?: string, most?: string) => {
    if (inList) {
      inList = found !== ']'
      return found === '\\w' ? WORD : found
    }
    inList = found.startsWith('[')
    // A `]` that comes first belongs to the list.
    if (inList) return found.replace(']', '\\]')
    if (found.startsWith('(?#')) return ''
    if (name !== undefined) return `\\k<${name}>`
    if (most !== undefined) return `{0,${most}}`
    return MEANT[found] ?? found
  })
}

interface Match {
  readonly file: string
  readonly line: number
  readonly text: string
  readonly before?: readonly string[]
  readonly after?: readonly string[]
}

/** Matches so far, within the limits of an answer. */
class Search {
  isFull = false
  readonly #test: LineTest
  readonly #context: number
  readonly #filesOnly: boolean
  readonly #limit: number
  readonly #deadline = performance.now() + MOST_MS
  readonly #matches: Match[] = []
  readonly #files: string[] = []
  #searched = 0
  #length = 0
  #batch: { path: string; data: Buffer }[] = []
  #batchBytes = 0

  constructor(test: LineTest, { context = 0, files_only = false, limit = 200 }: Parameters) {
    this.#test = test
    this.#context = context
    this.#filesOnly = files_only
    this.#limit = limit
  }

  add(path: string, data: Buffer): void {
    this.#batch.push({ path, data })
    this.#batchBytes += data.length
    if (this.#batch.length === BATCH_FILES || this.#batchBytes > BATCH_BYTES) this.#searchBatch()
  }

  finish(): object {
    this.#searchBatch()
    const results = this.#filesOnly ? { files: this.#files } : { matches: this.#matches }
    return { ...results, count: this.#count, files_searched: this.#searched, truncated: this.isFull }
  }

  get #count(): number {
    return this.#filesOnly ? this.#files.length : this.#matches.length
  }

  #searchBatch(): void {
    const batch = this.#batch
    this.#batch = []
    this.#batchBytes = 0
    let at = ''
    const run = () => {
      for (const { path, data } of batch) {
        at = path
        if (!this.isFull) this.#searchFile(path, data)
      }
    }
    if (batch.length > 0 && !endsInTime(run, this.#deadline - performance.now()))
      throw new Refused(
        `the search took longer than ${MOST_MS / 1000} s and was stopped at \`${at}\`: simplify the pattern`,
      )
  }

  #searchFile(file: string, data: Buffer): void {
    if (data.subarray(0, LOOKED_AT_BYTES).includes(0)) return
    this.#searched += 1
    const lines = data.toString('utf8').split('\n')
    if (lines.at(-1) === '') lines.pop()
    const cut = (line: string) => line.slice(0, MOST_LINE).replace(/\r$/, '')
    for (const [index, line] of lines.entries()) {
      const text = cut(line)
      if (!this.#test(text)) continue
      if (this.#count === this.#limit || this.#length > MOST_TEXT) {
        this.isFull = true
        return
      }
      if (this.#filesOnly) {
        this.#files.push(file)
        return
      }
      const before = lines.slice(Math.max(0, index - this.#context), index).map(cut)
      const after = lines.slice(index + 1, index + 1 + this.#context).map(cut)
      this.#length += [text, ...before, ...after].reduce((sum, near) => sum + near.length, 0)
      this.#matches.push({ file, line: index + 1, text, ...(this.#context > 0 && { before, after }) })
    }
  }
}

/** Only what a script does can be stopped, so the search is called by one. */
const CALL = Symbol.for('rye/file-system/grep')

/** Runs something that a pattern may keep from ending; false if it took too long. */
function endsInTime(run: () => void, milliseconds: number): boolean {
  const places: Record<symbol, unknown> = globalThis
  places[CALL] = run
  try {
    const script = new vm.Script(`globalThis[Symbol.for('${CALL.description}')]()`)
    script.runInThisContext({ timeout: Math.max(1, Math.ceil(milliseconds)) })
    return true
  } catch (thrown) {
    if (codeOf(thrown) === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return false
    throw thrown
  } finally {
    delete places[CALL]
  }
}
