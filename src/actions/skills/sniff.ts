// Which skills of the library say that they are for a project like this one, by the rules in `extensions/sniffer/rules.toml`. Only names
// of files are looked at; nothing is loaded or run.
import { dirname, join } from 'node:path'
import { AppError } from '../../base/index.ts'
import { readFile, stateAt } from '../../files/index.ts'
import type { Space } from '../../item/index.ts'
import { type ItemFile, WALK_LIMITS, walk } from '../../scan/index.ts'
import {
  matchRules,
  type RuleMatch,
  readRules,
  requireDirectory,
  type SkillDiagnostic,
  SNIFFER_FILE,
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
  /** The rules that hold, and what fulfils them. */
  readonly matches: readonly RuleMatch[]
}

export interface SkillsSniffAnswer {
  /** Where the paths begin. */
  readonly root: string
  /** Those that fit, the one with the most rules first. */
  readonly skills: readonly SniffedSkill[]
  readonly diagnostics: readonly SkillDiagnostic[]
}

/** Enough to know a project by; what lies deeper says little about it. */
const LIMITS = { depth: 8, entries: 50_000, underscored: 'take', fileBytes: Number.MAX_SAFE_INTEGER } as const

/** The library itself is not what a project is about. */
const LIBRARY = /^\.(?:ai|claude|agents)\//

export const skillsSniff = defineAction({
  name: 'skills sniff',
  description: 'Tell which skills of the library fit a project, by the rules that skills have for it.',
  effects: { readOnly: true, destructive: false, openWorld: false },
  fields: SNIFF_FIELDS,
  run: async (context, input): Promise<SkillsSniffAnswer> => {
    const root = requireDirectory(resolvePath(context, input.directory))
    const view = await context.library.open(root)
    const files = walk(root, LIMITS)
      .files.map(({ path }) => path)
      .filter(path => !LIBRARY.test(path))
      .sort()
    const project = { files, has: (path: string) => stateAt(join(root, path)) !== undefined }
    const skills: SniffedSkill[] = []
    const diagnostics: SkillDiagnostic[] = []
    for (const { entry, shadowedBy } of view.list(['skill']).items) {
      context.signal.throwIfAborted()
      const bytes = shadowedBy === null ? readRulesOf(entry) : undefined
      if (!bytes) continue
      const read = await readRules(`${entry.id}/${SNIFFER_FILE}`, bytes)
      diagnostics.push(...read.diagnostics)
      const matches = matchRules(read.rules, project)
      if (matches.length > 0) skills.push({ item_id: entry.id, space: entry.space, matches })
    }
    skills.sort((a, b) => b.matches.length - a.matches.length || (a.item_id < b.item_id ? -1 : 1))
    return { root, skills, diagnostics }
  },
})

/** Undefined for most skills, and for what is no plain file. */
function readRulesOf({ path, base }: ItemFile): Uint8Array | undefined {
  try {
    const options = { maxBytes: WALK_LIMITS.fileBytes, root: base }
    return readFile(join(dirname(path), SNIFFER_FILE), options)?.bytes
  } catch (thrown) {
    if (thrown instanceof AppError) return undefined
    throw thrown
  }
}
