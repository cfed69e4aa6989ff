#!/usr/bin/env node
// The command `rye`.
import { start } from './start.ts'

// The file itself, not the link by which it was called: a sandbox may not see the link.
void start(process.argv.slice(2), import.meta.filename)
