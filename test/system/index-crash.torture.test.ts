// Real processes on one index: two writers, readers beside a writer, and writers killed in the middle.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openIndex } from '../../src/search/sqlite/search-index.ts'
import { itemOf, searchFor } from '../search/sqlite/library.ts'
import { buildProgram } from './programs/build-program.ts'

const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url))
const COUNT = 300

let writer: string
let opener: string
const built: string[] = []
beforeAll(async () => {
  const build = async (name: string) => {
    const { folder: made, program } = await buildProgram(name)
    built.push(made)
    symlinkSync(MODULES, join(made, 'node_modules'))
    return program
  }
  writer = await build('write-items')
  opener = await build('open-indexes')
})
afterAll(() => {
  for (const made of built) rmSync(made, { recursive: true, force: true })
})

let folder: string
let path: string
const children: ChildProcess[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rye-index-'))
  path = join(folder, 'index.sqlite')
})

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

function startWriter(rounds: number): ChildProcess {
  return startProgram([writer, path, String(COUNT), String(rounds)])
}

function startProgram(words: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  return child
}

async function isReady(child: ChildProcess): Promise<void> {
  await once(child.stdout!, 'data')
}

async function exitOf(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return child.exitCode
}

/** Every item is there once, and every item is found by every word that it has and by no other. */
async function expectConsistent(): Promise<void> {
  const index = await openIndex(new Map([['project', path]]))
  const known = index.known('project')
  expect(searchFor(index, '*').total).toBe(known.size)
  expect(searchFor(index, 'common').total).toBe(known.size)
  const byRound = [1, 2, 3, 4, 5].map(round => searchFor(index, `"of round${round}"`).total)
  expect(byRound.reduce((sum, total) => sum + total, 0)).toBe(known.size)
  for (const row of searchFor(index, 'common', { limit: 20 }).rows) {
    expect(searchFor(index, `"number${row.id.slice(4)}"`).total).toBe(1)
  }
  index.close()
}

/** Brings the index up to date with a library of one known state. */
async function refill(): Promise<void> {
  const index = await openIndex(new Map([['project', path]]))
  const items = Array.from({ length: COUNT }, (_, number) =>
    itemOf({ id: `item${number}`, fields: { content: [`common words of round1 and number${number}`] } }),
  )
  const known = index.known('project')
  index.apply('project', {
    upsert: items.filter(item => known.get(item.path)?.hash !== item.hash),
    remove: [],
  })
  expect(searchFor(index, '"of round1"').total).toBe(COUNT)
  expect(searchFor(index, '*').total).toBe(COUNT)
  index.close()
}

describe('an index that several processes use', () => {
  it('holds each item once after two writers at once', async () => {
    const writers = [startWriter(3), startWriter(3)]
    expect(await Promise.all(writers.map(exitOf))).toEqual([0, 0])
    await expectConsistent()
    const index = await openIndex(new Map([['project', path]]))
    expect(index.known('project').size).toBe(COUNT)
    index.close()
  })

  it('is made by several that come at the same moment', async () => {
    const start = String(Date.now() + 2_000)
    const openers = Array.from({ length: 3 }, () => startProgram([opener, folder, '100', start]))
    expect(await Promise.all(openers.map(exitOf))).toEqual([0, 0, 0])
  })

  it('gives readers one consistent state while a writer works', async () => {
    let searches = 0
    // A quick writer may finish before a slow reader has looked twice; then another one writes.
    while (searches <= 5) {
      const writing = startWriter(5)
      await isReady(writing)
      const index = await openIndex(new Map([['project', path]]))
      while (writing.exitCode === null) {
        const { total, rows } = searchFor(index, 'common', { limit: 5 })
        expect(total).toBeGreaterThanOrEqual(rows.length)
        for (const row of rows) expect(row.matched.content).toContain('common')
        searches++
        await sleep(2)
      }
      expect(writing.exitCode).toBe(0)
      index.close()
    }
    await expectConsistent()
  })

  it('is right after writers were killed at any moment', async () => {
    const moments = [0, 20, 100]
    for (let i = 0; i < 20; i++) {
      const writing = startWriter(5)
      await isReady(writing)
      await sleep(moments[i] ?? Math.random() * 150)
      writing.kill('SIGKILL')
      await exitOf(writing)
      await expectConsistent()
    }
    await refill()
  })
})
