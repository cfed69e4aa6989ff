// What the parsers make of a file: metadata, body, diagnostics. Nothing is verified, indexed or run.
import { readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { AppError, type Diagnostic } from '../base/index.ts'
import { extractItem } from '../extract/index.ts'
import { checkId, ITEM_TYPES, type SignedType } from '../item/index.ts'
import { readFile } from '../store/index.ts'
import type { Workspace } from '../workspace/index.ts'
import { defineAction } from './action.ts'
import { identify } from './collect-signed.ts'
import { projectPath } from './fields.ts'

const MOST_BYTES = 64 * 1024 * 1024

export const parse = defineAction({
  name: 'parse',
  description: 'Show what is read from files: metadata, body and diagnostics.',
  effects: { readOnly: true, destructive: false, openWorld: false },
  fields: {
    paths: {
      type: 'strings',
      about: 'files or directories',
      required: true,
      flag: { position: 'rest', value: 'PATH' },
    },
    item_type: {
      type: 'string',
      about: 'the type, when the file does not lie below an `.ai/` folder',
      values: [...ITEM_TYPES, 'config'],
      flag: { name: 'type', value: 'T' },
    },
    project_path: projectPath,
  },
  run: async (context, input) => {
    const workspace = await context.library.open(input.project_path)
    const items: object[] = []
    for (const given of input.paths) {
      for (const path of filesAt(resolve(given)))
        items.push(await parseFile(workspace, path, input.item_type))
    }
    return { items }
  },
})

async function parseFile(workspace: Workspace, path: string, given: SignedType | undefined): Promise<object> {
  const { type, id } = identify(workspace, path, given ?? guessType(workspace, path))
  const extractor = workspace.extractors.get(type)!
  const extension = path.slice(path.lastIndexOf('.'))
  if (!extractor.parsers.has(extension)) {
    const expected = extractor.extensions.join(' ')
    return failed(
      path,
      type,
      'extension-unknown',
      `expected a ${type} file (${expected}), got \`${extension}\``,
    )
  }
  try {
    const file = readFile(path, { maxBytes: MOST_BYTES })
    if (!file) return failed(path, type, 'file-missing', 'no such file')
    const parsed = await extractItem(extractor, { id: checkId(id), extension, bytes: file.bytes })
    return {
      path,
      item_type: type,
      parser: parsed.parser,
      metadata: parsed.metadata,
      body: parsed.body,
      diagnostics: parsed.diagnostics,
    }
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    return failed(path, type, thrown.code.toLowerCase().replaceAll('_', '-'), thrown.message)
  }
}

/** Outside `.ai/`: an extension that one type alone has says which it is. */
function guessType(workspace: Workspace, path: string): SignedType | undefined {
  if (path.includes('/.ai/')) return undefined
  const extension = path.slice(path.lastIndexOf('.'))
  const types = ITEM_TYPES.filter(type => workspace.extractors.get(type)?.extensions.includes(extension))
  if (path.endsWith('/SKILL.md')) return 'skill'
  return types.length === 1 || types[0] === 'tool' ? types[0] : types.includes('tool') ? 'tool' : undefined
}

function failed(path: string, type: SignedType, code: string, message: string): object {
  const diagnostic: Diagnostic = { severity: 'error', code, message, line: 1, column: 1 }
  return { path, item_type: type, parser: null, metadata: {}, diagnostics: [diagnostic] }
}

function filesAt(path: string): string[] {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat?.isDirectory()) return [path]
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .sort()
}
