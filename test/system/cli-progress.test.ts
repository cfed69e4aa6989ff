// What a waiting person sees: commands in a real terminal, made by Python's pty.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PYTHON } from '../execute/hand-made-plan.ts'
import { type NpmRegistry, registrySettings, startRegistry } from './npm-registry.ts'
import { makePlace, type Place, PROGRAM, type Ran } from './run-rye.ts'

const IN_TERMINAL = 'import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))'
const PULL = ['execute', 'rye/registry', '--params', '{"action": "pull", "package": "team-notes"}']

let place: Place
let registry: NpmRegistry
let notes: string

beforeAll(async () => {
  place = makePlace()
  registry = await startRegistry(join(place.root, 'registry'))
  notes = join(place.project, '.ai/knowledge/team')
  mkdirSync(notes, { recursive: true })
  for (let i = 0; i < 40; i++) writeFileSync(join(notes, `note${i}.md`), makeNote(i))
  const config = join(place.project, '.ai/config/rye')
  mkdirSync(config, { recursive: true })
  writeFileSync(join(config, 'registry.yaml'), registrySettings(registry.url))
  await succeed(['keys', 'generate'])
  await succeed(['sign', 'config:rye/registry'])
}, 180_000)
afterAll(async () => {
  await registry?.stop()
  place.remove()
})

const makeNote = (number: number) => `---
name: note${number}
title: Note ${number}
entry_type: reference
category: team
version: "1.0.0"
description: What we noted as number ${number}
---

${Array.from({ length: 200 }, (_, i) => `word${number}x${i * number}`).join(' ')}
`

async function succeed(words: readonly string[], env?: Record<string, string>): Promise<Ran> {
  const ran = await place.rye(words, env ? { env } : {})
  expect(ran.status, ran.stderr + ran.stdout).toBe(0)
  return ran
}

/** What a terminal is sent, its bars in the order in which they are drawn. */
async function watch(words: readonly string[]): Promise<{ screen: string; bars: Bar[] }> {
  const ran = await place.run(PYTHON, ['-c', IN_TERMINAL, process.execPath, PROGRAM, ...words])
  expect(ran.status, ran.stdout + ran.stderr).toBe(0)
  const bars = [...ran.stdout.matchAll(/([^\r\n]+) [█░]{24} (\d+)\/(\d+)/g)].map(bar => ({
    message: bar[1]!.replace('\u001b[2K', ''),
    done: Number(bar[2]),
    total: Number(bar[3]),
  }))
  return { screen: ran.stdout, bars }
}

interface Bar {
  readonly message: string
  readonly done: number
  readonly total: number
}

describe('a bar in the terminal', () => {
  it.each([
    ['sign', ['sign', 'knowledge:team/*']],
    ['verify', ['verify']],
    ['index', ['index']],
  ] as const)('%s shows how much of the whole is done', async (_, words) => {
    const { bars, screen } = await watch(words)
    expect(bars.at(-1)?.total, screen).toBeGreaterThanOrEqual(40)
    for (const { done, total } of bars) expect(done).toBeLessThanOrEqual(total)
    // Nothing of it stays on the screen.
    expect(screen.lastIndexOf('\r\u001b[2K')).toBeGreaterThan(screen.lastIndexOf('░'))
  })

  it('a pull says how far it is', async () => {
    const bundle = {
      action: 'publish',
      package: 'team-notes',
      version: '1.0.0',
      description: 'Notes',
      items: ['knowledge:team/*'],
    }
    await succeed(['execute', 'rye/registry', '--params', JSON.stringify(bundle)], {
      NPM_TOKEN: registry.token,
    })
    const before = readFileSync(join(notes, 'note7.md'))
    rmSync(notes, { recursive: true })
    const { bars, screen } = await watch(PULL)
    const pulling = bars.filter(bar => bar.message === 'pulling team-notes@1.0.0')
    const reached = pulling.map(bar => bar.done)
    expect(reached.at(-1), screen).toBe(100)
    expect(reached).toEqual([...reached].sort((a, b) => a - b))
    expect(readFileSync(join(notes, 'note7.md'))).toEqual(before)
  })

  it('no bar reaches a file or a pipe', async () => {
    rmSync(notes, { recursive: true })
    const ran = await place.start(PULL)
    expect(ran.status, ran.stderr).toBe(0)
    expect(ran.stdout + ran.stderr).not.toMatch(/[█░\u001b]/)
    expect(ran.stdout + ran.stderr).not.toContain('"progress"')
  })
})
