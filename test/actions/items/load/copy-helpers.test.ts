// Copying a tool brings along the files beside it that it needs.
import { existsSync, statSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { tool } from '../../../workspace/scratch.ts'
import { signed } from './signed-scratch.ts'

const COPY = { item_id: 'ops/deploy', source: 'project', destination: 'user' }

async function project() {
  const made = await signed({
    '.ai/tools/ops/deploy.py': tool('ops/deploy', { body: 'import _shared\nreturn _shared.NAME' }),
    '.ai/tools/ops/_shared.py': tool('ops/_shared', { body: 'import _deeper' }),
    '.ai/tools/ops/_deeper.py': tool('ops/_deeper'),
    '.ai/tools/ops/other.py': tool('ops/other'),
  })
  for (const id of ['tool:ops/_shared', 'tool:ops/_deeper']) await made.sign(id)
  return made
}

describe('copying a tool', () => {
  it('takes along what it imports, and what that imports, byte for byte', async () => {
    const made = await project()
    const answer = await made.run('load', COPY)
    expect(answer).toMatchObject({
      copied_to: 'user',
      helpers: ['_deeper', '_shared'].map(name => ({
        path: made.path(`user:.ai/tools/ops/${name}.py`),
        status: 'copied',
      })),
    })
    expect(answer).not.toHaveProperty('left_out')
    for (const name of ['deploy', '_shared', '_deeper'])
      expect(made.read(`user:.ai/tools/ops/${name}.py`)).toBe(made.read(`.ai/tools/ops/${name}.py`))
    expect(existsSync(made.path('user:.ai/tools/ops/other.py'))).toBe(false)
  })

  it('leaves alone a helper that is there already, and replaces another one only when told to', async () => {
    const made = await project()
    await made.run('load', COPY)
    const kept = statSync(made.path('user:.ai/tools/ops/_deeper.py')).ino
    made.write('user:.ai/tools/ops/_shared.py', 'changed = True\n')
    expect(await made.run('load', { ...COPY, overwrite: true })).toMatchObject({
      helpers: [{ status: 'unchanged' }, { status: 'copied' }],
    })
    expect(statSync(made.path('user:.ai/tools/ops/_deeper.py')).ino).toBe(kept)
    expect(made.read('user:.ai/tools/ops/_shared.py')).toBe(made.read('.ai/tools/ops/_shared.py'))
  })

  it('copies nothing where one helper is another file', async () => {
    const made = await project()
    made.write('user:.ai/tools/ops/_shared.py', 'planted = True\n')
    expect(await made.run('load', COPY)).toMatchObject({
      code: 'ITEM_EXISTS',
      error: expect.stringContaining('_shared.py'),
    })
    expect(made.read('user:.ai/tools/ops/_shared.py')).toBe('planted = True\n')
    for (const name of ['deploy', '_deeper'])
      expect(existsSync(made.path(`user:.ai/tools/ops/${name}.py`))).toBe(false)
  })

  it('never copies a helper that does not verify, and says so', async () => {
    const made = await project()
    made.write('.ai/tools/ops/_shared.py', 'import os\n')
    expect(await made.run('load', COPY)).toMatchObject({
      copied_to: 'user',
      left_out: [{ path: '_shared.py', reason: 'unsigned' }],
    })
    expect(existsSync(made.path('user:.ai/tools/ops/_shared.py'))).toBe(false)
  })
})
