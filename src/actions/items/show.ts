// Shows one item as the system sees it: where it is, who signed it, what it shadows, what was read from it,
// and what does not validate.
import { basename } from 'node:path'
import { AppError, type Diagnostic, isText, type JsonObject } from '../../base/index.ts'
import {
  type Extractor,
  extractItem,
  type Issue,
  isHelper,
  locateField,
  type Place,
  validateItem,
} from '../../extract/index.ts'
import type { SignedType, Space } from '../../item/index.ts'
import { type DeclaredNeeds, declaredNeeds, programFaults, unusedCopy } from '../../plan/index.ts'
import type { Verdict } from '../../trust/index.ts'
import { readSigned, type SignedCopy } from '../../user/index.ts'
import { type FindRequest, type OpenedItem, signedRequest, type Workspace } from '../../workspace/index.ts'
import { defineAction } from '../definition/action.ts'
import type { Shadow } from '../definition/answer-parts.ts'
import type { CallInput, Fields } from '../definition/field-spec.ts'
import { itemId, itemType, projectPath } from '../definition/shared-fields.ts'
import { diagnoseSkill } from './skill-diagnostics.ts'
import { hintAtSkillFunction } from './skill-function.ts'

const SHOW_FIELDS = {
  item_id: itemId,
  item_type: itemType,
  project_path: projectPath,
  content: {
    type: 'boolean',
    about: 'also its text, trusted or not: to be read before it is signed',
    forPeople: true,
  },
} as const satisfies Fields

export type ShowInput = CallInput<typeof SHOW_FIELDS>

export interface ShowAnswer {
  readonly item_type: SignedType
  readonly item_id: string
  readonly space: Space
  readonly path: string
  readonly parser: string
  readonly trust: Verdict
  readonly shadows: readonly Shadow[]
  readonly shadowed_by?: Space
  readonly metadata: JsonObject
  /** What would stop it from being signed. */
  readonly issues: readonly string[]
  /** Where the text sets the value that an issue is about, as far as that is known. */
  readonly places?: readonly (Place & { readonly message: string })[]
  /** Why it is never used, although it is there. */
  readonly unused?: string
  /** What is odd about it, as a scan and signing report it. For a skill, `path` is relative to its folder. */
  readonly diagnostics: readonly (Diagnostic & { readonly path?: string })[]
  /** With `content`. */
  readonly content?: ItemContent
}

export interface ItemContent {
  /** The digest of all its bytes. `sign` takes it, and then signs nothing else. */
  readonly digest: string
  /**
   * Paths relative to its folder, its own file first. `text` is absent if a file is not text, or too long.
   */
  readonly files: readonly { readonly path: string; readonly size: number; readonly text?: string }[]
  /** What a tool declares that it needs. */
  readonly needs?: DeclaredNeeds
  /** What was last signed of it on this machine, if that is still kept. */
  readonly last_signed?: LastSigned
}

export interface LastSigned extends SignedCopy {
  /** The signed text, parsed as it would be today; absent if it can no longer be read. */
  readonly metadata?: JsonObject
  readonly needs?: DeclaredNeeds
}

export const show = defineAction({
  name: 'show',
  description: 'Show what is known of one item, trusted or not.',
  effects: { readOnly: true, destructive: false, openWorld: false },
  fields: SHOW_FIELDS,
  run: async (context, input): Promise<ShowAnswer> => {
    const workspace = await context.library.open(input.project_path)
    const request = signedRequest(input.item_id, input.item_type)
    await workspace.bring(request)
    const found = await findShown(workspace, request)
    const item = workspace.read(found)
    const parsed = await item.parse()
    const { body: _body, raw: _raw, content: _content, ...metadata } = parsed.metadata
    const extractor = workspace.extractors.get(item.file.type)
    const { core_shadowing } = workspace.policy.execute
    const unused = unusedCopy({ ...item.file, toolType: metadata.tool_type }, core_shadowing)
    const invalid = extractor && !isHelper(parsed) ? validateItem(extractor, parsed) : []
    const places = extractor ? placesOf(invalid, extractor, item.bytes) : []
    const faults = item.file.type === 'tool' ? programFaults({ ...parsed, bytes: item.bytes }) : []
    return {
      item_type: item.file.type,
      item_id: item.file.id,
      space: item.file.space,
      path: item.file.path,
      parser: parsed.parser,
      trust: await workspace.judge(item),
      shadows: item.shadows.map(space => ({ space })),
      ...(found.shadowedBy && { shadowed_by: found.shadowedBy.space }),
      metadata,
      issues: [...invalid.map(issue => issue.message), ...faults],
      ...(places.length > 0 && { places }),
      ...(unused !== undefined && { unused }),
      diagnostics: item.file.type === 'skill' ? await diagnose(workspace, item) : parsed.diagnostics,
      ...(input.content === true && { content: await contentOf(workspace, item, metadata) }),
    }
  },
})

async function findShown(workspace: Workspace, request: FindRequest): Promise<ReturnType<Workspace['find']>> {
  try {
    return workspace.find(request)
  } catch (thrown) {
    throw await hintAtSkillFunction(workspace, request, thrown)
  }
}

async function diagnose(workspace: Workspace, item: OpenedItem): Promise<ShowAnswer['diagnostics']> {
  const { space } = item.file
  const skills = () => workspace.list(['skill']).items.filter(({ entry }) => entry.space === space)
  return [
    ...(await diagnoseSkill(workspace, item, skills)),
    ...item.leftOut.map(({ path, message }) => ({
      ...{ severity: 'warning' as const, code: 'left-out', path, message },
      ...{ line: 1, column: 1 },
    })),
  ]
}

function placesOf(
  issues: readonly Issue[],
  extractor: Extractor,
  bytes: Uint8Array,
): (Place & { message: string })[] {
  const text = issues.length > 0 ? Buffer.from(bytes).toString('utf8') : ''
  return issues.flatMap(({ field, message }) => {
    const place = locateField(text, extractor, field)
    return place ? [{ message, ...place }] : []
  })
}

/** The text of a longer file is left out. */
const LONGEST_TEXT = 1024 * 1024

async function contentOf(workspace: Workspace, item: OpenedItem, metadata: JsonObject): Promise<ItemContent> {
  const { file, bytes, parts } = item
  const main = basename(file.path)
  const state = workspace.library.states.find(file.base)
  const signed = state && readSigned(state.path, `${file.type}:${file.id}`)
  return {
    digest: item.contentDigest(),
    files: [...new Map([[main, bytes], ...parts])].map(([path, content]) => ({
      path,
      size: content.length,
      ...(isShortText(content) && { text: Buffer.from(content).toString('utf8') }),
    })),
    ...needsOf(file, metadata),
    ...(signed && { last_signed: { ...signed, ...(await readAgain(workspace, item, signed.files[main])) } }),
  }
}

function needsOf(file: OpenedItem['file'], metadata: JsonObject): { needs?: DeclaredNeeds } {
  return file.type === 'tool' ? { needs: declaredNeeds({ ...file, metadata }) } : {}
}

/** What was signed, parsed as it would be today. */
async function readAgain(
  { extractors }: Workspace,
  { file }: OpenedItem,
  text: string | undefined,
): Promise<Pick<LastSigned, 'metadata' | 'needs'>> {
  const extractor = extractors.get(file.type)
  if (text === undefined || !extractor) return {}
  try {
    const { id, extension } = file
    const parsed = await extractItem(extractor, { id, extension, bytes: Buffer.from(text) })
    const { body: _body, raw: _raw, content: _content, ...metadata } = parsed.metadata
    return { metadata, ...needsOf(file, metadata) }
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    return {}
  }
}

function isShortText(bytes: Uint8Array): boolean {
  return bytes.length <= LONGEST_TEXT && isText(bytes)
}
