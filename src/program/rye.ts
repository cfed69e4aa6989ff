#!/usr/bin/env node
import { VERSION } from '../base/index.ts'
// The command `rye`. `--version` loads nothing.
import { start } from './start.ts'

const words = process.argv.slice(2)
if (words.length === 1 && ['--version', '-v', '-V', 'version'].includes(words[0]!)) {
  process.stdout.write(`${VERSION}\n`)
} else {
  // The file itself, not the link by which it was called: a sandbox may not see the link.
  void start(words, import.meta.filename)
}
