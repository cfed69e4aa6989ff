#!/usr/bin/env node
// The command `rye`.
import { start } from './start.ts'

// The real file, not the link it was called through: a sandbox may not see the link.
void start(process.argv.slice(2), import.meta.filename)
