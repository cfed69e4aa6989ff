// The user's own key is no longer trusted: the answer says so and names the repair, instead of blaming the
// items.
import { rmSync } from 'node:fs'
import { expect, it } from 'vitest'
import { type Scratch, scratch, TEST_KEY, tool } from '../../workspace/scratch.ts'

const OWN = TEST_KEY.fingerprint
const REPAIR = `rye keys trust ${OWN}`

async function distrusted(): Promise<Scratch> {
  const made = await scratch({ '.ai/tools/mine.py': tool('mine') })
  await made.sign('mine')
  rmSync(made.path(`user:.ai/config/keys/trusted/${OWN}.toml`))
  return made
}

it('a refusal says that it is the own key', async () => {
  const made = await distrusted()
  expect(await made.run('load', { item_id: 'mine' })).toMatchObject({
    code: 'ITEM_UNTRUSTED',
    hint: `it is your own key, which is no longer trusted; trust it again with \`${REPAIR}\``,
  })
  const agent = await made.run('load', { item_id: 'mine' }, 'agent')
  expect(agent.hint).toContain(`trust it again: ask the user to run \`${REPAIR}\``)
})

it('`sign` does not advise to take over what is one’s own', async () => {
  const made = await distrusted()
  expect(await made.run('sign', { item_id: 'mine' })).toMatchObject({
    code: 'POLICY_DENIED',
    error: expect.stringContaining('your key, which is no longer trusted'),
    hint: `trust your key again with \`${REPAIR}\``,
  })
})

it('`doctor` names one repair, which repairs', async () => {
  const made = await distrusted()
  const { checks } = await made.run('doctor')
  const found = checks.filter(({ name }: { name: string }) => name === 'key' || name === 'untrusted')
  expect(found).toEqual([
    expect.objectContaining({ name: 'key', fix: REPAIR }),
    expect.objectContaining({
      name: 'untrusted',
      fix: REPAIR,
      message: expect.stringContaining(`your own key ${OWN} is no longer trusted`),
    }),
  ])
  expect(await made.run('keys trust', { file: OWN })).toMatchObject({ status: 'trusted' })
  expect(await made.run('load', { item_id: 'mine' })).toMatchObject({ status: 'success' })
})
