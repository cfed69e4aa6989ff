// Finds skills of the library that declare that they fit a project like this one, by the rules in their
// `extensions/sniffer/rules.toml`. Looks only at file names; nothing is loaded or run.
import { dirname, join } from 'node:path'
import { AppError, countOf } from '../../base/index.ts'
import { readFile, stateBelow } from '../../files/index.ts'
import type { Space } from '../../item/index.ts'
import { type ItemFile, WALK_LIMITS } from '../../scan/index.ts'
import {
  matchRules,
  type RuleMatch,
  readRules,
  type SkillDiagnostic,
  SNIFFER_FILE,
  walkDirectory,
} from '../../skills/index.ts'
import { defineAction } from '../definition/action.ts'
import type { CallInput, Fields } from '../definition/field-spec.ts'
import { resolvePath } from '../definition/resolve-path.ts'

const SNIFF_FIELDS = {
  directory: {
    type: 'string',
    about: 'a project',
    required: true,
    flag: { position: 'first', value: 'DIR' },
  },
} as const satisfies Fields

export type SkillsSniffInput = CallInput<typeof SNIFF_FIELDS>

export interface SniffedSkill {
  readonly item_id: string
  readonly space: Space
  /** The rules that match, and the files that match them. */
  readonly matches: readonly RuleMatch[]
}

export interface SkillsSniffAnswer {
  /** The folder that paths are relative to. */
  readonly root: string
  /** The skills that fit, those with the most matching rules first. */
  readonly skills: readonly SniffedSkill[]
  readonly diagnostics: readonly SkillDiagnostic[]
}

/** Enough to recognise a project; deeper files say little about it. */
const LIMITS = { depth: 8, entries: 50_000, fileBytes: Number.MAX_SAFE_INTEGER } as const

/** Files of the library itself do not describe the project. */
const LIBRARY = /^\.(?:ai|claude|agents)\//

export const skillsSniff = defineAction({
  name: 'skills sniff',
  description: 'Tell which skills of the library fit a project, by the rules that skills have for it.',
  effects: { readOnly: true, destructive: false, openWorld: false },
  fields: SNIFF_FIELDS,
  run: async (context, input): Promise<SkillsSniffAnswer> => {
    const listing = walkDirectory(resolvePath(context, input.directory), LIMITS)
    const { root } = listing
    const view = await context.library.open(root)
    const isOfProject = ({ path }: { readonly path: string }) => !LIBRARY.test(path)
    const files = listing.files
      .filter(isOfProject)
      .map(({ path }) => path)
      .sort()
    const project = { files, has: (path: string) => stateBelow(join(root, path), root) !== undefined }
    const skills: SniffedSkill[] = []
    const diagnostics = oneOfEach(listing.diagnostics.filter(isOfProject))
    for (const { entry, shadowedBy } of view.list(['skill']).items) {
      context.signal.throwIfAborted()
      if (shadowedBy !== null) continue
      const read = await rulesOf(entry)
      diagnostics.push(...read.diagnostics)
      const matches = matchRules(read.rules, project)
      if (matches.length > 0) skills.push({ item_id: entry.id, space: entry.space, matches })
    }
    skills.sort((a, b) => b.matches.length - a.matches.length || (a.item_id < b.item_id ? -1 : 1))
    return { root, skills, diagnostics }
  },
})

/** Combines diagnostics of one code: a large project may have very many links. */
function oneOfEach(diagnostics: readonly SkillDiagnostic[]): SkillDiagnostic[] {
  return [...new Set(diagnostics.map(({ code }) => code))].map(code => {
    const [first, ...others] = diagnostics.filter(one => one.code === code)
    const more = others.length > 0 ? `; likewise ${countOf(others.length, 'other')}` : ''
    return { ...first!, message: `${first!.message}${more}` }
  })
}

/** Most skills have no rules. */
async function rulesOf({ id, path, base }: ItemFile): ReturnType<typeof readRules> {
  const name = `${id}/${SNIFFER_FILE}`
  try {
    const options = { maxBytes: WALK_LIMITS.fileBytes, root: base }
    const bytes = readFile(join(dirname(path), SNIFFER_FILE), options)?.bytes
    return bytes ? await readRules(name, bytes) : { rules: [], diagnostics: [] }
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    const fault = {
      severity: 'warning',
      code: 'unreadable',
      message: thrown.message,
      line: 1,
      column: 1,
    } as const
    return { rules: [], diagnostics: [{ path: name, ...fault }] }
  }
}
