// Decides whether a file may be signed: it must meet its extractor's rules, and hold no unfinished merge.
import { AppError, commandOf, countOf, type Diagnostic, hintWith } from '../../../base/index.ts'
import { isHelper, validateItem } from '../../../extract/index.ts'
import { nameOf } from '../../../item/index.ts'
import { defaultFaults, programFaults } from '../../../plan/index.ts'
import type { ItemFile } from '../../../scan/index.ts'
import { readSynonyms } from '../../../search/index.ts'
import type { ResolvedEntry } from '../../../space/index.ts'
import {
  conflictOf,
  type OpenedItem,
  SYNONYMS_ID,
  sourceFlag,
  type Workspace,
} from '../../../workspace/index.ts'
import { diagnoseSkill } from '../skill-diagnostics.ts'

type Validated = Pick<OpenedItem, 'bytes' | 'parse'> &
  Partial<Pick<OpenedItem, 'parts' | 'leftOut'>> & {
    readonly file: Pick<OpenedItem['file'], 'id' | 'type' | 'path' | 'extension'>
  }

/** Returns what the signer should know. Throws `VALIDATION_FAILED` with all problems. */
export async function validateForSigning(
  workspace: Pick<Workspace, 'extractors' | 'read'>,
  item: Validated,
  skills: () => readonly ResolvedEntry<ItemFile>[] = () => [],
): Promise<{ isHelperFile: boolean; noticed: string[] }> {
  const extractor = workspace.extractors.get(item.file.type)
  if (!extractor) throw new Error(`unreachable: no extractor for ${item.file.type}`)
  const parsed = await item.parse()
  // Package markers such as `__init__.py` are mostly empty.
  const mayBeEmpty = item.file.type === 'tool' && nameOf(item.file.id).startsWith('_')
  const diagnostics = parsed.diagnostics.filter(({ code }) => !(mayBeEmpty && code === 'file-empty'))
  const [faults, found] = (['error', 'warning'] as const).map(severity =>
    diagnostics.filter(one => one.severity === severity).map(printDiagnostic),
  )
  const warnings = item.file.type === 'skill' ? await skillWarnings(workspace, item, skills) : found
  const isHelperFile = isHelper(parsed)
  const conflict = conflictOf(workspace, item)
  const issues = [
    ...faults!,
    ...(isHelperFile ? [] : validateItem(extractor, parsed).map(issue => issue.message)),
    ...(item.file.type === 'tool' ? programFaults({ ...parsed, bytes: item.bytes }) : []),
    ...(item.file.type === 'config' && item.file.id === SYNONYMS_ID
      ? readSynonyms(parsed.metadata).problems
      : []),
  ]
  if (issues.length === 0)
    return {
      isHelperFile,
      noticed: [
        ...(conflict.kind === 'content' ? [`line ${conflict.line}: a merge conflict`] : []),
        ...(isHelperFile ? [HELPER_NOTE] : []),
        ...(item.file.type === 'directive' && parsed.body.trim() === '' ? [NO_DIRECTIONS] : []),
        ...(item.file.type === 'tool' ? defaultFaults(parsed.metadata.config_schema) : []),
        ...warnings!,
      ],
    }
  throw new AppError(
    'VALIDATION_FAILED',
    `Validation failed: \`${item.file.path}\`: ${countOf(issues.length, 'problem')}`,
    {
      hint: `fix ${issues.length === 1 ? 'this' : 'these'} and sign again: ${issues[0]}`,
      details: { issues, path: item.file.path },
    },
  )
}

async function skillWarnings(
  workspace: Pick<Workspace, 'read'>,
  item: Validated,
  skills: () => readonly ResolvedEntry<ItemFile>[],
): Promise<string[]> {
  return [
    ...(await diagnoseSkill(workspace, item, skills)).map(
      found => `${found.path}: ${printDiagnostic(found)}`,
    ),
    ...(item.leftOut ?? []).map(({ path, message }) => `${path}: ${message}`),
  ]
}

const NO_DIRECTIONS =
  'it gives no directions: what is to be done, such as `<process>`, is expected after the block that describes it'

const HELPER_NOTE =
  'it does not declare a tool: signed as a helper file that tools beside it may import, not as a tool to run'

/** Conflict markers alone may be an example in a manual; around signature lines, a merge is unfinished. */
export function refuseConflict(
  workspace: Pick<Workspace, 'extractors'>,
  item: Pick<OpenedItem, 'file' | 'bytes'>,
): void {
  const conflict = conflictOf(workspace, item)
  if (conflict.kind === 'none' || (conflict.kind === 'content' && !conflict.hasSignature)) return
  const { path, type, id, space } = item.file
  if (conflict.kind === 'content') throw contentConflict(path, conflict.line)
  throw new AppError('VALIDATION_FAILED', `a merge left two signatures in \`${path}\``, {
    hint: hintWith(
      'read what was merged; ',
      commandOf('if it is right, sign it', `sign ${type}:${id}${sourceFlag(space)} --resolve`),
    ),
  })
}

export function contentConflict(path: string, line: number): AppError {
  return new AppError(
    'VALIDATION_FAILED',
    `\`${path}\` has a merge conflict at line ${line} that is not about the signature`,
    { hint: 'resolve it in the file, then sign again' },
  )
}

export function printDiagnostic(found: Diagnostic): string {
  return `line ${found.line}, column ${found.column}: ${found.message}`
}
