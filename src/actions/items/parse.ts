// Shows what the parsers make of a file: metadata, body, diagnostics. Nothing is verified, indexed or run.
import { existsSync, statSync } from 'node:fs'
import { basename, extname, join, sep } from 'node:path'
import { AppError, type Diagnostic, type JsonObject } from '../../base/index.ts'
import { extractItem, itemFileExtension } from '../../extract/index.ts'
import { readFile } from '../../files/index.ts'
import { idProblem, type SignedType } from '../../item/index.ts'
import { walk } from '../../scan/index.ts'
import type { Workspace } from '../../workspace/index.ts'
import { defineAction } from '../definition/action.ts'
import type { CallInput, Fields } from '../definition/field-spec.ts'
import { resolvePath } from '../definition/resolve-path.ts'
import { projectPath, SIGNED_TYPES } from '../definition/shared-fields.ts'
import { identify } from './verify/collect-signed.ts'

const MOST_BYTES = 64 * 1024 * 1024

const PARSE_FIELDS = {
  paths: {
    type: 'strings',
    about: 'files or directories',
    required: true,
    flag: { position: 'rest', value: 'PATH' },
  },
  item_type: {
    type: 'string',
    about: 'the type, if the file is not below an `.ai/` folder',
    values: SIGNED_TYPES,
    flag: { name: 'type', value: 'T' },
  },
  project_path: projectPath,
} as const satisfies Fields

export type ParseInput = CallInput<typeof PARSE_FIELDS>

export interface ParseAnswer {
  readonly items: readonly ParsedFile[]
}

export interface ParsedFile {
  readonly path: string
  /** Null if neither the path nor the name tells. */
  readonly item_type: SignedType | null
  readonly parser: string | null
  readonly metadata: JsonObject
  readonly body?: string
  readonly diagnostics: readonly Diagnostic[]
}

export const parse = defineAction({
  name: 'parse',
  description: 'Show what is read from files: metadata, body and diagnostics.',
  effects: { readOnly: true, destructive: false, openWorld: false },
  fields: PARSE_FIELDS,
  run: async (context, input): Promise<ParseAnswer> => {
    const workspace = await context.library.open(input.project_path)
    const items: ParsedFile[] = []
    for (const given of input.paths) {
      for (const file of filesAt(workspace, resolvePath(context, given), input.item_type))
        items.push(await parseFile(workspace, file, input.item_type))
    }
    return { items }
  },
  exitStatus: answer => (answer.items.some(isUnread) ? 1 : 0),
})

const UNREAD = ['file-missing', 'file-unreadable']

function isUnread({ diagnostics }: ParsedFile): boolean {
  return diagnostics.some(found => UNREAD.includes(found.code))
}

async function parseFile(
  workspace: Workspace,
  { path, root }: FoundFile,
  given: SignedType | undefined,
): Promise<ParsedFile> {
  if (!existsSync(path)) return failed(path, given ?? null, 'file-missing', 'no such file')
  const item = placeOf(workspace, path, given)
  if (!item) {
    const message = 'unknown type: the file is not below an `.ai/` folder; give it with --type T'
    return failed(path, null, 'type-unknown', message)
  }
  const { type, id } = item
  const extractor = workspace.extractors.get(type)!
  const extension = extname(path)
  if (!extractor.parsers.has(extension)) {
    const message = `expected a ${type} file (${extractor.extensions.join(' ')}), got \`${extension}\``
    return failed(path, type, 'extension-unknown', message)
  }
  try {
    const file = readFile(path, { maxBytes: MOST_BYTES, ...(root !== undefined && { root }) })
    if (!file) return failed(path, type, 'file-missing', 'no such file')
    const { parser, metadata, body, diagnostics } = await extractItem(extractor, {
      id,
      extension,
      bytes: file.bytes,
    })
    return { path, item_type: type, parser, metadata, body, diagnostics: [...diagnostics, ...idWarning(id)] }
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    return failed(path, type, thrown.code.toLowerCase().replaceAll('_', '-'), thrown.message)
  }
}

function placeOf(workspace: Workspace, path: string, given: SignedType | undefined) {
  try {
    return identify(workspace, path, given ?? guessType(workspace, path))
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'INVALID_INPUT') return undefined
    throw thrown
  }
}

/** Outside `.ai/`, a `SKILL.md` is a skill, and any other file with the extension of a tool is a tool. */
function guessType(workspace: Workspace, path: string): SignedType | undefined {
  if (path.split(sep).includes('.ai')) return undefined
  if (/^(?:SKILL|skill)\.md$/.test(basename(path))) return 'skill'
  return workspace.extractors.get('tool')?.extensions.includes(extname(path)) ? 'tool' : undefined
}

/** A file whose path is not an id can be parsed, but not loaded. */
function idWarning(id: string): Diagnostic[] {
  const problem = idProblem(id)
  if (problem === undefined) return []
  return [
    {
      severity: 'warning',
      code: 'invalid-id',
      message: `the path is not a valid item id: ${problem}`,
      line: 1,
      column: 1,
    },
  ]
}

function failed(path: string, type: SignedType | null, code: string, message: string): ParsedFile {
  const diagnostic: Diagnostic = { severity: 'error', code, message, line: 1, column: 1 }
  return { path, item_type: type, parser: null, metadata: {}, diagnostics: [diagnostic] }
}

interface FoundFile {
  readonly path: string
  /** The directory that was named; no link below it is followed. */
  readonly root?: string
}

/** The path itself; for a directory, the files in it that can be items. */
function filesAt(workspace: Workspace, path: string, given: SignedType | undefined): FoundFile[] {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [{ path }]
  return walk(path)
    .files.map(file => join(path, file.path))
    .filter(file => {
      const type = placeOf(workspace, file, given)?.type
      const extractor = type && workspace.extractors.get(type)
      if (!extractor?.parsers.has(extname(file))) return false
      return extractor.itemFile === null || itemFileExtension(extractor, basename(file)) !== undefined
    })
    .map(file => ({ path: file, root: path }))
}
