// Describes how two states of an item differ, for the person who accepts the newer one: first the fields that
// decide what it may do, then the text of every file. Pure except for parsing.
import { diffLines, isText, type JsonValue, printCanonicalJson, shortenText } from '../../base/index.ts'
import { chooseItemFiles, extractItem } from '../../extract/index.ts'
import type { Workspace } from '../../workspace/index.ts'
import { splitName } from './target.ts'

export interface ItemChange {
  /** Fields that differ: description, permissions, executor, parameters, version ... */
  readonly fields: readonly { readonly field: string; readonly before: unknown; readonly after: unknown }[]
  readonly files: readonly FileChange[]
}

export interface FileChange {
  readonly path: string
  readonly change: 'added' | 'removed' | 'changed'
  /** Lines prefixed with `+`, `-` or a blank; absent if the file is not text. */
  readonly diff?: readonly string[]
}

type Files = ReadonlyMap<string, Uint8Array>

const FIELDS = [
  'description',
  'version',
  'permissions',
  'allowed-tools',
  'executor_id',
  'parameters',
  'config_schema',
  'tool_type',
  'env_config',
]
const MOST_LINES = 400
const MOST_TEXT = 300_000
/** A longer line is compared in pieces, so that a change beyond its displayed part is still shown. */
const LONG_LINE = /.{200}(?=.)/gu

export async function compareItems(
  { extractors }: Workspace,
  name: string,
  { before, after }: { readonly before: Files; readonly after: Files },
): Promise<ItemChange> {
  const { type, below } = splitName(name)
  const read = async (files: Files) => {
    const main =
      type === 'skill' ? chooseItemFiles(extractors.get(type)!, namesIn(below, files))[0]?.name : below
    const bytes = main === undefined ? undefined : files.get(type === 'skill' ? `${below}/${main}` : main)
    const dot = below.lastIndexOf('.')
    const [id, extension] = type === 'skill' ? [below, '.md'] : [below.slice(0, dot), below.slice(dot)]
    if (bytes === undefined) return {}
    const parsed = await extractItem(extractors.get(type)!, { id, extension, bytes })
    return parsed.metadata as Readonly<Record<string, unknown>>
  }
  const [old, now] = [await read(before), await read(after)]
  const fields = FIELDS.filter(field => textOf(old[field]) !== textOf(now[field])).map(field => ({
    field,
    before: old[field] ?? null,
    after: now[field] ?? null,
  }))
  const strip = type === 'skill' ? below.length + 1 : 0
  const paths = [...new Set([...before.keys(), ...after.keys()])].sort()
  const files = paths.flatMap(path => compareFile(path.slice(strip), before.get(path), after.get(path)))
  return { fields, files }
}

/** The change as lines of text for a review. */
export function describeChange({ fields, files }: ItemChange): string[] {
  return [
    ...fields.map(
      ({ field, before, after }) =>
        `~ ${field}: ${shortenText(textOf(before), 200)} -> ${shortenText(textOf(after), 200)}`,
    ),
    ...files.flatMap(({ path, change, diff }) => [
      `${change}: ${path}${diff === undefined ? ' (not text, or too long to compare)' : ''}`,
      ...(diff ?? []).map(line => `  ${shortenText(line, 300)}`),
    ]),
  ]
}

function compareFile(
  path: string,
  before: Uint8Array | undefined,
  after: Uint8Array | undefined,
): FileChange[] {
  if (before && after && Buffer.compare(before, after) === 0) return []
  const change = before === undefined ? 'added' : after === undefined ? 'removed' : 'changed'
  const [old, now] = [textIn(before), textIn(after)]
  if (old === undefined || now === undefined) return [{ path, change }]
  const lines = diffLines(inPieces(old), inPieces(now))
  const diff =
    lines.length > MOST_LINES
      ? [...lines.slice(0, MOST_LINES), `... ${lines.length - MOST_LINES} more lines`]
      : lines
  return [{ path, change, diff }]
}

function inPieces(text: string): string {
  return text.replaceAll(LONG_LINE, '$&\n')
}

function textIn(bytes: Uint8Array | undefined): string | undefined {
  if (bytes === undefined) return ''
  return isText(bytes) && bytes.length <= MOST_TEXT ? Buffer.from(bytes).toString('utf8') : undefined
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : printCanonicalJson(value as JsonValue)
}

/** Names of the files directly in a folder. */
function namesIn(folder: string, files: Files): string[] {
  const inside = [...files.keys()].filter(path => path.startsWith(`${folder}/`))
  return inside.map(path => path.slice(folder.length + 1)).filter(path => !path.includes('/'))
}
