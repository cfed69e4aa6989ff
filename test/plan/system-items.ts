// The bundled runtimes and primitives, read from the package as the real ones are.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { VerifiedTool } from '../../src/plan/types.ts'
import { yamlTool } from './world.ts'

const TOOLS = fileURLToPath(new URL('../../system/.ai/tools/', import.meta.url))

export const SYSTEM_IDS = [
  'rye/core/primitives/subprocess',
  'rye/core/primitives/http_client',
  'rye/core/primitives/mcp',
  'rye/core/primitives/action',
  'rye/core/runtimes/python/function',
  'rye/core/runtimes/python/script',
  'rye/core/runtimes/node/node',
  'rye/core/runtimes/bash/bash',
  'rye/core/runtimes/mcp/http',
  'rye/core/runtimes/mcp/stdio',
  'rye/core/runtimes/http/http',
]

export function readSystemText(id: string): string {
  return readFileSync(`${TOOLS}${id}.yaml`, 'utf8')
}

export async function readSystemItems(): Promise<VerifiedTool[]> {
  return Promise.all(
    SYSTEM_IDS.map(id =>
      yamlTool(id, readSystemText(id), {
        space: 'system',
        verdict: { format: 'manifest', signer: 'system' },
      }),
    ),
  )
}
