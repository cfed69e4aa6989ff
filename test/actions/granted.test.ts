// Actions for one of several users of a server: no input field reaches what the grant leaves out.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readInput } from '../../src/actions/definition/read-input.ts'
import { runAction } from '../../src/actions/run-action.ts'
import { findAction } from '../../src/actions/table.ts'
import type { Grant } from '../../src/user/access/tokens.ts'
import { narrowLibrary } from '../../src/workspace/narrow-library.ts'
import { signedLibrary } from '../catalogue/library.ts'
import { type Answer, type Scratch, scratch } from '../workspace/scratch.ts'

async function runAs(made: Scratch, more: Partial<Grant>, name: string, input: object): Promise<Answer> {
  const action = await findAction(name)!.load()
  const grant: Grant = {
    ...{ user: 'ada', projects: [made.project], spaces: ['project'] },
    permissions: ['search', 'load', 'execute', 'write', 'network'],
    ...more,
  }
  const context = {
    ...{ library: narrowLibrary(made.library, grant), caller: 'agent' as const },
    ...{ signal: new AbortController().signal, onProgress: () => {}, onNote: () => {} },
  }
  const read = () => readInput(action.fields, { project_path: made.project, ...input }, 'agent')
  return (await runAction({ action, read, context })).answer
}

it('nothing is copied into a space that is not granted, wherever it comes from', async () => {
  const made = await scratch()
  for (const source of ['system', 'registry'])
    expect(
      await runAs(made, {}, 'load', { item_id: 'tool:rye/bash', source, destination: 'user' }),
    ).toMatchObject({
      ...{ code: 'POLICY_DENIED', error: 'the token of `ada` does not permit the user space' },
    })
  expect(existsSync(made.path('user:.ai/tools'))).toBe(false)
})

it('a server that is given secrets is not asked for its tools by who may use none', async () => {
  const made = await scratch({
    '.env': 'DOCS_KEY=canary\n',
    '.ai/tools/mcp/servers/docs.yaml':
      'tool_type: mcp_server\nexecutor_id: null\ncategory: mcp/servers\nversion: 1.0.0\ndescription: docs\nsecrets: [DOCS_KEY]\nconfig:\n  transport: stdio\n  command: "true"\n',
  })
  await made.sign('tool:mcp/servers/docs')
  const parameters = { server: 'mcp/servers/docs', timeout: 1 }
  const input = { item_id: 'rye/mcp/discover', parameters }
  expect(await runAs(made, {}, 'execute', input)).toMatchObject({
    ...{ code: 'POLICY_DENIED', error: 'the token of `ada` does not permit `secrets`' },
  })
  const permissions = ['execute', 'write', 'network', 'secrets'] as const
  expect((await runAs(made, { permissions }, 'execute', input)).code).not.toBe('POLICY_DENIED')
  // A user who may sign could name any variable of the server as a secret.
  expect(await runAs(made, { permissions: [...permissions, 'sign'] }, 'execute', input)).toMatchObject({
    code: 'POLICY_DENIED',
    error: expect.stringContaining('permits `sign`, and no secrets beside it'),
  })
})

it('the catalogue is not asked for who does not see the shared space', async () => {
  const made = await signedLibrary()
  const table = join(made.root, 'catalogue')
  await made.run('catalogue sync', { table })
  made.write('user:.ai/config/rye.toml', `catalogue = "${table}"\n`)
  const found = (spaces: Grant['spaces']) =>
    runAs(made, { spaces }, 'search', { query: 'roll back a release', source: 'shared', detail: 'full' })
  expect(await found(['project'])).toMatchObject({ results: [], total: 0 })
  expect((await found(['shared'])).results[0]).toMatchObject({ id: 'ops/rollback', source: 'shared' })
  expect(
    await runAs(made, {}, 'load', { item_id: 'knowledge:ops/rollback', source: 'shared' }),
  ).toMatchObject({
    code: 'ITEM_NOT_FOUND',
  })
})
