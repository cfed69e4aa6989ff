import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
// @ts-expect-error a script has no types
import { referencePages } from '../../scripts/reference-pages.mjs'
import { findAction } from '../../src/actions/index.ts'
import { commandHelp } from '../../src/surfaces/cli/help.ts'

const FOLDER = new URL('../../docs/reference/', import.meta.url)

it('docs/reference says what the definitions of the actions say', async () => {
  const pages: ReadonlyMap<string, string> = await referencePages(findAction, commandHelp)
  expect(readdirSync(FOLDER).sort()).toEqual([...pages.keys()].sort())
  for (const [file, text] of pages)
    expect(readFileSync(new URL(file, FOLDER), 'utf8'), 'stale: run `node scripts/reference.mjs`').toBe(text)
})
