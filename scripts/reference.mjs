// Writes docs/reference/: one page for each action that an agent can call, generated from its definition.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { registerTypeScript } from '../bench/typescript-hook.mjs'
import { referencePages } from './reference-pages.mjs'

const FOLDER = new URL('../docs/reference/', import.meta.url)

registerTypeScript()
const { findAction } = await import('../src/actions/index.ts')
const { commandHelp } = await import('../src/surfaces/cli/help.ts')

const pages = await referencePages(findAction, commandHelp)
mkdirSync(FOLDER, { recursive: true })
for (const [file, text] of pages) if (read(file) !== text) writeFileSync(new URL(file, FOLDER), text)

function read(file) {
  try {
    return readFileSync(new URL(file, FOLDER), 'utf8')
  } catch (error) {
    if (error.code === 'ENOENT') return undefined
    throw error
  }
}
