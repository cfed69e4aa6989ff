#!/usr/bin/env node
import { VERSION } from '../base/index.ts'
// The command `rye`. `--version` loads nothing.
import { start } from './start.ts'

const words = process.argv.slice(2)
const [asked, ...more] = words[0] === '-C' ? words.slice(2) : words
if (more.length === 0 && asked !== undefined && ['--version', '-v', '-V', 'version'].includes(asked)) {
  process.stdout.write(`${VERSION}\n`)
} else {
  // The file itself, not the link by which it was called: a sandbox may not see the link.
  void start(words, import.meta.filename)
}
