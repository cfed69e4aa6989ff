// A command that an answer suggests does what the answer says.
import { rmSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { generateKey } from '../../src/trust/key.ts'
import { type Answer, knowledge, placeKey, type Scratch, scratch, TEST_KEY } from './scratch.ts'

const FILE = '.ai/knowledge/k.md'

/** The item as another key signed it. */
async function foreign(made: Scratch): Promise<void> {
  placeKey(made, generateKey())
  await made.sign('knowledge:k')
  placeKey(made, TEST_KEY)
}

const edit = (made: Scratch) => made.write(FILE, `${made.read(FILE)}More.\n`)

const STATES: readonly [string, boolean, (made: Scratch) => unknown][] = [
  ['is new', false, () => {}],
  ['was edited', false, made => made.sign('knowledge:k').then(() => edit(made))],
  [
    'has the example of a manual',
    false,
    made => made.write(FILE, `<!-- rye:signed:T:H:S:F -->\n${made.read(FILE)}`),
  ],
  [
    'has a placeholder',
    false,
    made => made.write(FILE, `<!-- rye:signed:placeholder:x -->\n${made.read(FILE)}`),
  ],
  ['was signed by another and edited', true, made => foreign(made).then(() => edit(made))],
  [
    'has a broken signature',
    true,
    async made => {
      await foreign(made)
      made.write(FILE, made.read(FILE).replace(/rye:signed:\d{4}/, 'rye:signed:x'))
    },
  ],
]

describe.each(['project', 'user'])('an item of the %s', space => {
  it.each(STATES)('that %s is signed by the command that is shown', async (_, isTakeOver, prepare) => {
    const made = await scratch({ [FILE]: knowledge('k') })
    await prepare(made)
    if (space === 'user') {
      made.write(`user:${FILE}`, made.read(FILE))
      rmSync(made.path(FILE))
    }
    const loaded = await made.run('load', { item_id: 'knowledge:k' })
    const { checks } = await made.run('doctor')
    const shown = checks.find((check: Answer) => check.message.startsWith('knowledge:k@')).fix
    expect(loaded.hint.endsWith(shown)).toBe(true)
    expect(shown.includes('--take-over')).toBe(isTakeOver)
    // An agent is not told to do what it may not.
    const agent = await made.run('load', { item_id: 'knowledge:k' }, 'agent')
    expect(agent.hint.includes('ask them')).toBe(isTakeOver)
    const input = {
      item_id: 'knowledge:k',
      ...(shown.includes('--take-over') && { take_over: true }),
      ...(shown.includes('--source user') && { source: 'user' }),
    }
    expect(await made.run('sign', input)).toMatchObject({ status: 'signed' })
    expect(await made.run('load', { item_id: 'knowledge:k' })).toMatchObject({ status: 'success' })
  })
})
