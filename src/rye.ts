#!/usr/bin/env node
// The command `rye`: joins the surfaces, which do not know each other. `--version` loads nothing.
import { fileURLToPath } from 'node:url'
import { VERSION } from './version.ts'

const words = process.argv.slice(2)
if (words.length === 1 && (words[0] === '--version' || words[0] === '-v')) {
  process.stdout.write(`${VERSION}\n`)
} else {
  const { runCli } = await import('./surfaces/cli/index.ts')
  process.exitCode = await runCli(words, {
    version: VERSION,
    environment: process.env,
    directory: process.cwd(),
    foreign: [
      {
        name: 'demo',
        summary: 'a guided tour in a temporary project',
        run: async () => {
          const { runTour } = await import('./surfaces/cli/tour/index.ts')
          // The file itself, not the link by which it was called: a sandbox may not see the link.
          return runTour({ environment: process.env, program: fileURLToPath(import.meta.url) })
        },
      },
      {
        name: 'mcp',
        summary: 'serve the library to an agent over MCP, on stdio or --http',
        run: async rest => (await import('./surfaces/mcp/index.ts')).runMcp(rest, VERSION),
      },
    ],
  })
}
