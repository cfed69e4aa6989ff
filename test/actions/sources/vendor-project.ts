// A project with a vendor's folder of items beside it.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import { type Scratch, scratch, skill, tool } from '../../workspace/scratch.ts'

export function vendor(made: Scratch, files: Readonly<Record<string, string>>): string {
  for (const [path, text] of Object.entries(files)) {
    const full = join(made.root, 'vendor', path)
    mkdirSync(dirname(full), { recursive: true })
    writeFileSync(full, text)
  }
  return join(made.root, 'vendor')
}

/** A project with a skill and a tool of a folder beside it. */
export async function project() {
  const made = await scratch()
  const source = vendor(made, {
    'pdf/SKILL.md': skill('pdf'),
    'pdf/scripts/a.sh': '#!/bin/sh\necho a\n',
    '.ai/tools/deploy.py': tool('deploy'),
  })
  const { digest } = await made.run('add', { source, dry_run: true })
  expect(await made.run('add', { source, accept: [digest] })).toMatchObject({ status: 'added' })
  return { made, source }
}
