// After SIGKILL a server runs no more code of ours: whatever it was starting must end by itself.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { IsolationName } from '../../src/execute/sandbox/isolation-name.ts'
import {
  BASH,
  findMarked,
  findSurvivors,
  makeDirectory,
  makeMarker,
  PYTHON,
} from '../execute/hand-made-plan.ts'
import { until } from '../fixtures/patience.ts'
import { tries } from '../fixtures/tries.ts'
import { buildProgram } from './programs/build-program.ts'

let folder: string
let program: string
beforeAll(async () => {
  const built = await buildProgram('killed-at-start')
  folder = built.folder
  program = built.program
  const workers = fileURLToPath(new URL('../../src/execute/workers/programs', import.meta.url))
  cpSync(workers, join(folder, 'workers'), { recursive: true })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

type Tool = 'script' | 'busy python' | 'idle python' | 'waiting node' | 'idle node'

interface Started {
  readonly project: string
  hasBegun(): boolean
  kill(): Promise<void>
}

/** Settles when the server is about to start the tool. */
async function startServer(isolation: IsolationName, tool: Tool, marker: string): Promise<Started> {
  const project = makeDirectory()
  const command = tool === 'script' ? BASH : tool.endsWith('python') ? PYTHON : process.execPath
  const server = spawn(process.execPath, [program, project, isolation, tool, command, marker], {
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const closed = once(server, 'close')
  await once(server.stdout, 'data')
  return {
    project,
    hasBegun: () => existsSync(join(project, 'began')),
    async kill() {
      server.kill('SIGKILL')
      await closed
    },
  }
}

/** Every fifth try waits for the tool: what lies between is spread over the time a start takes just now, whatever else runs. */
const WAITING_TRY = 5

describe('a server killed while it starts a sandbox', () => {
  it.each([
    ['script', tries({ usual: 15, torture: 120 })],
    ['busy python', tries({ usual: 6, torture: 30 })],
  ] as const)('leaves nothing of a %s, in %i tries', async (tool, count) => {
    const marker = makeMarker()
    const remaining = Array.from({ length: count }, (_, i) => i)
    const begun: boolean[] = []
    const lane = async () => {
      let usual = 0
      for (let i = remaining.shift(); i !== undefined; i = remaining.shift()) {
        const server = await startServer('bubblewrap', tool, marker)
        const started = performance.now()
        if (usual === 0 || i % WAITING_TRY === 0) {
          while (!server.hasBegun()) await delay(1)
          usual = performance.now() - started
        } else await delay((1.2 * usual * i) / count)
        await server.kill()
        begun.push(server.hasBegun())
      }
    }
    await Promise.all([lane(), lane(), lane()])
    expect(begun).toHaveLength(count)
    // Some were killed before the tool began, and some after: the moments between were met. A busy machine may need more tries.
    expect(begun).toContain(true)
    while (!begun.includes(false)) {
      const server = await startServer('bubblewrap', tool, marker)
      await server.kill()
      begun.push(server.hasBegun())
    }
    expect(await findSurvivors(marker)).toEqual([])
  })
})

describe.each(['bubblewrap', 'process-group'] as const)('a server killed in %s isolation', isolation => {
  it.each(['busy python', 'idle python', 'waiting node', 'idle node'] as const)(
    'leaves nothing of a %s worker',
    async tool => {
      const marker = makeMarker()
      const server = await startServer(isolation, tool, marker)
      await until(server.hasBegun)
      if (tool.startsWith('idle')) await delay(300)
      expect(findMarked(marker)).not.toEqual([])
      await server.kill()
      expect(await findSurvivors(marker)).toEqual([])
    },
  )
})
