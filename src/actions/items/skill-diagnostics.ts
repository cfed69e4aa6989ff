// Lists what a scan finds odd about a skill, for signing and for showing it.
import { AppError } from '../../base/index.ts'
import { nameOf } from '../../item/index.ts'
import type { ItemFile } from '../../scan/index.ts'
import { readSkill, type SkillDiagnostic, type SkillFolder, scanSkills } from '../../skills/index.ts'
import type { ResolvedEntry } from '../../space/index.ts'
import type { OpenedItem, Workspace } from '../../workspace/index.ts'

interface SkillParts {
  readonly file: Pick<OpenedItem['file'], 'id'>
  readonly parts?: OpenedItem['parts']
}

/** Paths are relative to the skill's folder. `skills` are those of its space. */
export async function diagnoseSkill(
  workspace: Pick<Workspace, 'read'>,
  item: SkillParts,
  skills: () => readonly ResolvedEntry<ItemFile>[],
): Promise<SkillDiagnostic[]> {
  const others = await namedSkills(workspace, item, skills)
  const { diagnostics } = await scanSkills([folderOf(item), ...others])
  const above = `${item.file.id}/`
  return diagnostics
    .filter(({ path }) => path.startsWith(above))
    .map(found => ({ ...found, path: found.path.slice(above.length) }))
}

function folderOf({ file, parts = new Map() }: SkillParts): SkillFolder {
  return { name: nameOf(file.id), path: file.id, files: parts }
}

/**
 * Skills to scan along with it: those with its name, whose tools may be confused with its own, and those
 * whose tools its documents are about.
 */
async function namedSkills(
  { read }: Pick<Workspace, 'read'>,
  item: SkillParts,
  skills: () => readonly ResolvedEntry<ItemFile>[],
): Promise<SkillFolder[]> {
  const { name, tools, references } = await readSkill(folderOf(item))
  const about = references.flatMap(({ record }) => record.for_tools ?? [])
  const names = new Set([...(tools.length > 0 ? [name] : []), ...about.map(tool => tool.split('.')[0]!)])
  if (names.size === 0) return []
  const others = skills().filter(({ entry }) => names.has(nameOf(entry.id)) && entry.id !== item.file.id)
  return others.slice(0, MOST_NAMED).flatMap(found => {
    try {
      return folderOf(read(found))
    } catch (thrown) {
      // Reported when that skill is signed.
      if (!(thrown instanceof AppError)) throw thrown
      return []
    }
  })
}

const MOST_NAMED = 50
