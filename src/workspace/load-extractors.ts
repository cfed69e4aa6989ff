// The extractors of one workspace: those of the package, each replaced by the user's or the project's
// override if that has a valid signature. Any other override is ignored, with a diagnostic, so a cloned
// project cannot change the rules.
import { existsSync } from 'node:fs'
import { extname, join } from 'node:path'
import { AppError, type Diagnostic } from '../base/index.ts'
import { type Extractor, type Extractors, extractItem, readExtractor } from '../extract/index.ts'
import { readFile } from '../files/index.ts'
import { ITEM_TYPES, readVersion, type SignatureFormat, type SignedType, type Space } from '../item/index.ts'
import { type ItemRoot, locate } from '../scan/index.ts'
import { type TrustContext, verify } from '../trust/index.ts'
import { SYSTEM_EXTRACTORS } from './system-extractors.ts'
import type { UseMemory } from './use-memory.ts'

export interface ExtractorNote extends Diagnostic {
  readonly path: string
  readonly item_id: string
  readonly space: Space
}

export interface LoadedExtractors {
  /** For items of the project. */
  readonly extractors: Extractors
  /** Without the project's overrides: for items of user and system, which projects share. */
  readonly shared: Extractors
  readonly notes: readonly ExtractorNote[]
}

/** Whom the user trusts, and what was used before. */
interface Judges {
  readonly trust: TrustContext
  readonly memory: Pick<UseMemory, 'use'>
}

const FOLDER = 'rye/core/extractors'
const EXTRACTOR_BYTES = 256 * 1024
const TYPES: readonly SignedType[] = [...ITEM_TYPES, 'config']
const HASH_COMMENT: SignatureFormat = { prefix: '#', suffix: '', afterShebang: true, detached: false }

/** The package's extractors, which are compiled in. An error in them is a bug of the package. */
export function readSystemExtractors(): Extractors {
  return new Map(
    TYPES.map(type => {
      const { extractor, diagnostics } = readExtractor(type, SYSTEM_EXTRACTORS[type])
      if (!extractor)
        throw new Error(`unreachable: ${type}: ${diagnostics.map(found => found.message).join('; ')}`)
      return [type, extractor]
    }),
  )
}

/** The package's extractors with the overrides of user and project; the project wins. */
export async function loadExtractors(
  system: Extractors,
  roots: readonly ItemRoot[],
  judges: Judges,
): Promise<LoadedExtractors> {
  const notes: ExtractorNote[] = []
  const override = async (below: Extractors, space: 'user' | 'project'): Promise<Extractors> => {
    const extractors = new Map(below)
    const root = roots.find(candidate => candidate.type === 'tool' && candidate.space === space)
    // Nearly every space has none: this is one call instead of one per type and extension.
    if (!root || !existsSync(join(root.base, ...root.segments, FOLDER))) return extractors
    for (const type of TYPES) {
      const { found } = locate(roots, system, { type: 'tool', id: extractorId(type), space })
      const file = found[0]?.entry
      if (!file) continue
      const read = await readOverride({ type, space, path: file.path, base: file.base }, judges)
      notes.push(...read.notes)
      if (read.extractor) extractors.set(type, read.extractor)
    }
    return extractors
  }
  const shared = await override(system, 'user')
  const extractors = await override(shared, 'project')
  // Without a user root, the project folder is the user space, and its overrides are the user's.
  const isUsers = !roots.some(root => root.type === 'tool' && root.space === 'user')
  return { shared: isUsers ? extractors : shared, extractors, notes }
}

/** Whether an item is read as an extractor, or has an id reserved for extractors. */
export function isExtractor({ type, id }: { readonly type: SignedType; readonly id: string }): boolean {
  return type === 'tool' && id.startsWith(`${FOLDER}/`)
}

function extractorId(type: SignedType): string {
  return `${FOLDER}/${type}/${type}_extractor`
}

async function readOverride(
  file: { readonly type: SignedType; readonly space: Space; readonly path: string; readonly base: string },
  { trust, memory }: Judges,
): Promise<{ extractor: Extractor | null; notes: ExtractorNote[] }> {
  const { type, space, path, base } = file
  const id = extractorId(type)
  const note = (code: 'extractor-ignored' | 'extractor-invalid', message: string): ExtractorNote => ({
    severity: 'warning',
    code,
    message: `the ${type} extractor is ignored: ${message}`,
    line: 1,
    column: 1,
    path,
    item_id: id,
    space,
  })
  const read = readBounded(path, base)
  if ('problem' in read) return { extractor: null, notes: [note('extractor-invalid', read.problem)] }
  const signed = {
    type: 'tool',
    id,
    root: base,
    extension: extname(path),
    bytes: read.bytes,
    format: HASH_COMMENT,
  } as const
  const verdict = verify(signed, trust)
  if (verdict.status !== 'verified') {
    return {
      extractor: null,
      notes: [
        note('extractor-ignored', `it is ${verdict.status}${verdict.reason ? `: ${verdict.reason}` : ''}`),
      ],
    }
  }
  const parsed = await extractItem(EXTRACTOR_OF_EXTRACTORS, { id, extension: '.yaml', bytes: read.bytes })
  const older = refusalOf(() =>
    memory.use({ type: 'tool', id, space, path }, verdict, readVersion(parsed.metadata.version)),
  )
  if (older !== undefined) return { extractor: null, notes: [note('extractor-ignored', older)] }
  const made = readExtractor(type, parsed.metadata)
  const problems = [...parsed.diagnostics, ...made.diagnostics].filter(found => found.severity === 'error')
  if (problems.length > 0 || !made.extractor) {
    return { extractor: null, notes: problems.map(problem => note('extractor-invalid', problem.message)) }
  }
  return { extractor: made.extractor, notes: [] }
}

function refusalOf(use: () => unknown): string | undefined {
  try {
    use()
    return undefined
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    return thrown.message
  }
}

/** A file that cannot be read must not make the whole project unusable. */
function readBounded(path: string, root: string): { bytes: Uint8Array } | { problem: string } {
  try {
    return readFile(path, { maxBytes: EXTRACTOR_BYTES, root }) ?? { problem: 'the file is gone' }
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    return { problem: thrown.message }
  }
}

/** Extractors are items too: this one reads them. */
const EXTRACTOR_OF_EXTRACTORS: Extractor = {
  type: 'tool',
  version: '1.0.0',
  extensions: ['.yaml'],
  itemFile: null,
  parsers: new Map([['.yaml', 'yaml/yaml']]),
  signatureFormats: new Map([['.yaml', HASH_COMMENT]]),
  rules: new Map(),
  rulesWithoutMetadata: new Map(),
  searchFields: new Map(),
  validation: new Map(),
}
