// A sync of more than one batch makes its rows in a thread. They are the rows that the main thread alone
// would make, and what an interrupted sync leaves behind is repaired by the next.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openLibrary } from 'ryekit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { until } from '../fixtures/patience.ts'
import { makePlace, type Place, PROGRAM } from './run-rye.ts'

/** Three batches, because the words are long. */
const COUNT = 500
const STEM = 'word'.repeat(10)

let place: Place
beforeEach(() => {
  place = makePlace()
  mkdirSync(join(place.project, '.ai/knowledge'), { recursive: true })
  for (let number = 0; number < COUNT; number++) {
    const text = Array.from({ length: 600 }, (_, at) => `${STEM}${(number * 7 + at * at) % 997}`).join(' ')
    writeFileSync(
      join(place.project, `.ai/knowledge/note${number}.md`),
      `---\ntitle: Note ${number} über Käse\ndescription: About ${number}\n---\n\n${text}\n`,
    )
  }
})
afterEach(() => place.remove())

const tableAt = (name: string) => join(place.root, name)

async function rowsOf(name: string): Promise<Map<string, string>> {
  const { connect } = await import('@lancedb/lancedb')
  const table = await (await connect(tableAt(name))).openTable('items')
  const rows = (await table.query().toArray()).map(row => row.toJSON())
  return new Map(
    // Files that were just written may change unseen: of them there is no stamp yet.
    rows.map(({ vector, bytes, stamp: _stamp, ...rest }) => [
      rest.key,
      JSON.stringify([rest, Buffer.from(bytes).toString('latin1'), vector && [...vector]]),
    ]),
  )
}

describe('a sync in threads', () => {
  it('writes the rows that one thread writes', async () => {
    const ran = await place.start(['catalogue', 'sync', '--table', tableAt('threads'), '--json'])
    expect(ran.json()).toMatchObject({ added: COUNT })
    const library = openLibrary({ caller: 'person', environment: place.environment })
    try {
      const answer = await library.call('catalogue sync', {
        table: tableAt('alone'),
        project_path: place.project,
      })
      expect(answer).toMatchObject({ added: COUNT })
    } finally {
      await library.close()
    }
    const [threads, alone] = [await rowsOf('threads'), await rowsOf('alone')]
    expect(threads.size).toBe(COUNT)
    expect([...threads].filter(([key, row]) => alone.get(key) !== row).slice(0, 1)).toEqual([])
    expect(alone.size).toBe(COUNT)
  })

  it.each(['SIGTERM', 'SIGKILL'] as const)(
    'ends with its process by %s, and the next repairs it',
    async signal => {
      const words = [PROGRAM, 'catalogue', 'sync', '--table', tableAt('killed'), '--json']
      const child = spawn(process.execPath, words, {
        cwd: place.project,
        env: place.environment,
        stdio: 'ignore',
      })
      const ended = new Promise(resolve => child.on('close', resolve))
      await until(() => existsSync(join(tableAt('killed'), 'items.lance')))
      child.kill(signal)
      await ended
      const next = (await place.start([...words.slice(1)])).json()
      expect(next.added + next.unchanged).toBe(COUNT)
      expect((await rowsOf('killed')).size).toBe(COUNT)
    },
  )
})
