// Skill folders to canonical records.
import { linkSkills, type SkillScan } from './link-skills.ts'
import { type ReadSkill, readSkill } from './read-skill.ts'
import type { SkillFolder } from './records.ts'

/** Takes one folder at a time, so that only one folder's bytes need to be in memory. */
export async function scanSkills(folders: Iterable<SkillFolder>): Promise<SkillScan> {
  const skills: ReadSkill[] = []
  for (const folder of folders) skills.push(await readSkill(folder))
  return linkSkills(skills)
}
