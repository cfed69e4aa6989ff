// Folders in, canonical records out.
import { linkSkills, type SkillScan } from './link-skills.ts'
import { type ReadSkill, readSkill } from './read-skill.ts'
import type { SkillFolder } from './records.ts'

/** Reads one folder after another, so that only one folder's bytes need to be in memory. */
export async function scanSkills(
  folders: Iterable<SkillFolder>,
  onSkill: (done: number) => void = () => {},
): Promise<SkillScan> {
  const skills: ReadSkill[] = []
  for (const folder of folders) {
    skills.push(await readSkill(folder))
    onSkill(skills.length)
  }
  return linkSkills(skills)
}
