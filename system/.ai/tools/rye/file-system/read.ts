// Reads the content of a text file of the project, a page of lines at a time.
import { isUtf8 } from 'node:buffer'
import { readSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { codeOf, failure, find, inFolder, Refused, withFile } from './_inside.ts'
import { findSimilar } from './_similar.ts'

export const __version__ = '1.1.0'
export const __tool_type__ = 'javascript'
export const __executor_id__ = 'rye/core/runtimes/node/node'
export const __category__ = 'rye/file-system'
export const __tool_description__ =
  'Read a file of the project: the content of a text file, or a page of its lines'

export const tags = ['file', 'read', 'open', 'view', 'show', 'cat', 'content', 'lines']

export const CONFIG = { timeout: 30, permissions: { network: false } }

export const CONFIG_SCHEMA = {
  type: 'object',
  properties: {
    file_path: {
      type: 'string',
      minLength: 1,
      description: 'File whose content to read, relative to the project or absolute inside it',
    },
    offset: { type: 'integer', minimum: 1, default: 1, description: 'First line to answer, from 1' },
    limit: {
      type: 'integer',
      minimum: 1,
      maximum: 10000,
      default: 2000,
      description: 'Most lines to answer; `next_offset` says where to go on',
    },
  },
  required: ['file_path'],
  additionalProperties: false,
}

const MOST_BYTES = 200_000
const MOST_LINE_BYTES = 20_000
const LOOKED_AT_BYTES = 8192
const CHUNK_BYTES = 65_536
const MOST_NAMES = 5000

interface Parameters {
  readonly file_path: string
  readonly offset?: number
  readonly limit?: number
}

/** Answers with `content`, exactly as it stands in the file, and where it stands. */
export function execute({ file_path, offset = 1, limit = 2000 }: Parameters, projectPath: string): object {
  try {
    const place = find(projectPath, file_path)
    const page = withFile(place, (file, { size }) => readPage(file, size, offset, limit))
    return { success: true, file_path: place.steps.join('/'), ...page }
  } catch (thrown) {
    const suggested = codeOf(thrown) === 'ENOENT' ? suggest(projectPath, file_path) : {}
    return { ...failure(thrown, file_path), ...suggested }
  }
}

/** Reads on to the page and then the page itself, never more than a line at a time. */
function readPage(file: number, size: number, first: number, limit: number): object {
  const lines: Buffer[] = []
  const cut: number[] = []
  let taken = 0
  let number = 0
  let more = false
  for (const { line, isWhole } of eachLine(file, size)) {
    number += 1
    if (number < first) continue
    if (lines.length === limit || (lines.length > 0 && taken + line.length > MOST_BYTES)) {
      more = true
      break
    }
    lines.push(line)
    taken += line.length
    if (!isWhole) cut.push(number)
  }
  if (lines.length === 0 && first > 1)
    throw new Refused(`expected offset to be at most ${Math.max(number, 1)}, the last line, got ${first}`)
  const content = Buffer.concat(lines)
  return {
    content: content.toString('utf8'),
    first_line: first,
    lines: lines.length,
    size,
    ...(more && { next_offset: number }),
    ...(cut.length > 0 && { cut_lines: cut }),
    ...(!isUtf8(content) && {
      warning: 'the file is not valid UTF-8: invalid bytes are shown as U+FFFD',
    }),
  }
}

interface Line {
  /** With its end. */
  readonly line: Buffer
  /** Of a very long line only the beginning is kept. */
  readonly isWhole: boolean
}

function* eachLine(file: number, size: number): Generator<Line> {
  let kept = Buffer.alloc(0)
  let isCut = false
  let isFirst = true
  for (let chunk = readChunk(file); chunk.length > 0; chunk = readChunk(file)) {
    if (isFirst && chunk.subarray(0, LOOKED_AT_BYTES).includes(0))
      throw new Refused(`expected text, got a binary file of ${size} bytes`)
    isFirst = false
    let start = 0
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      const line = Buffer.concat([kept, chunk.subarray(start, end + 1)])
      start = end + 1
      kept = Buffer.alloc(0)
      yield isCut || line.length > MOST_LINE_BYTES ? cutLine(line) : { line, isWhole: true }
      isCut = false
    }
    kept = Buffer.concat([kept, chunk.subarray(start)])
    isCut ||= kept.length > MOST_LINE_BYTES
    // One byte more says whether a character is cut.
    if (isCut) kept = kept.subarray(0, MOST_LINE_BYTES + 1)
  }
  if (kept.length > 0) yield isCut ? cutLine(kept) : { line: kept, isWhole: true }
}

function readChunk(file: number): Buffer {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
  return chunk.subarray(0, readSync(file, chunk, 0, CHUNK_BYTES, null))
}

/** The beginning of a line, up to a whole character. */
function cutLine(line: Buffer): Line {
  let end = MOST_LINE_BYTES
  // The bytes of a character after its first are 10xxxxxx; it has four at most.
  while (end > MOST_LINE_BYTES - 4 && ((line[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return { line: Buffer.concat([line.subarray(0, end), Buffer.from('\n')]), isWhole: false }
}

/** Names in the same folder that are spelled much the same. */
function suggest(projectPath: string, name: string): object {
  try {
    const { root, steps } = find(projectPath, dirname(name))
    const entries = inFolder(root, steps, folder => folder.entries().slice(0, MOST_NAMES))
    const near = findSimilar(
      basename(name),
      entries.map(entry => entry.name.toString()),
      3,
      0.6,
    )
    return near.length === 0 ? {} : { did_you_mean: near.map(entry => [...steps, entry].join('/')) }
  } catch {
    return {}
  }
}
