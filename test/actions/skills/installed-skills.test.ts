import { existsSync, mkdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import {
  changeInstalled,
  type InstalledNotes,
  installedSkills,
} from '../../../src/actions/skills/installed-skills.ts'
import { digestOf } from '../../../src/actions/skills/skill-copy.ts'
import { type Scratch, scratch } from '../../workspace/scratch.ts'

const COPY = new Map([['SKILL.md', Buffer.from('# S\n')]])

async function withNotes(change: (notes: InstalledNotes, made: Scratch) => void) {
  const made = await scratch()
  const { states } = made.library
  const signal = new AbortController().signal
  await changeInstalled({ states, base: made.project, signal }, async notes => {
    change(notes, made)
    notes.save()
  })
  return { made, installed: installedSkills(states, made.project) }
}

const pathOf = (made: Scratch, number: number) => made.path(`.claude/skills/s${number}`)

it('remembers every copy that is there, however many there are, and forgets those that are gone', async () => {
  const { made, installed } = await withNotes((notes, scratched) => {
    for (let number = 0; number < 4200; number++) {
      if (number % 2 === 0) mkdirSync(pathOf(scratched, number), { recursive: true })
      notes.remember(pathOf(scratched, number), { digest: digestOf(COPY), item_id: `s${number}` })
    }
  })
  const remembered = (number: number) => installed.isAsInstalled(pathOf(made, number), COPY)
  for (let number = 0; number < 4200; number++)
    expect(remembered(number), String(number)).toBe(existsSync(pathOf(made, number)))
})

it('remembers a few copies that are gone, as they come back with another branch', async () => {
  const { made, installed } = await withNotes((notes, scratched) => {
    notes.remember(pathOf(scratched, 1), { digest: digestOf(COPY), item_id: 's1' })
  })
  expect(installed.sourceOf(pathOf(made, 1))).toBe('s1')
})
