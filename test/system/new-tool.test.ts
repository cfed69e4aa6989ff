// Tools made by `rye new` from what was typed, and run unchanged.
import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { scratch } from '../workspace/scratch.ts'

describe('rye new tool --command', () => {
  it('wraps a program: parameters are checked, and each value is one argument', async () => {
    const made = await scratch()
    execFileSync('git', ['init', '--quiet'], { cwd: made.project })
    const author = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.org']
    for (const message of ['first', 'second'])
      execFileSync('git', [...author, 'commit', '--quiet', '--allow-empty', '-m', message], {
        cwd: made.project,
      })
    const created = await made.run('new', {
      item_type: 'tool',
      item_id: 'git/log',
      command: 'git log -n {n:integer} --format=%s',
    })
    expect(created).toMatchObject({
      status: 'created',
      signed: true,
      path: made.path('.ai/tools/git/log.yaml'),
      next: expect.arrayContaining(['rye execute tool:git/log --param n=...']),
    })
    expect(await made.run('execute', { item_id: 'git/log', param: { n: '1' } })).toMatchObject({
      status: 'success',
      data: { stdout: 'second\n' },
    })
    expect(await made.run('execute', { item_id: 'git/log', parameters: { n: 'many' } })).toMatchObject({
      code: 'PARAMETERS_INVALID',
    })
    expect((await made.run('show', { item_id: 'git/log' })).metadata.config_schema).toEqual({
      type: 'object',
      properties: { n: { type: 'integer', description: 'What n is' } },
      required: ['n'],
    })
  })

  it('never lets a value become more than an argument', async () => {
    const made = await scratch()
    await made.run('new', { item_type: 'tool', item_id: 'say', command: "printf '[%s]' {words:array}" })
    const words = ['$(touch pwned)', '; touch pwned', '`id`', `\${HOME}`, '{tool_path}', "it's", '']
    expect(await made.run('execute', { item_id: 'say', parameters: { words } })).toMatchObject({
      data: { stdout: words.map(word => `[${word}]`).join('') },
    })
    expect(await made.run('execute', { item_id: 'say', parameters: { words: ['--help'] } })).toMatchObject({
      code: 'PARAMETERS_INVALID',
    })
  })

  it.each([
    [{ command: 'a | b' }, '--language bash'],
    [{ command: 'a {x}', param: ['x:string'] }, ''],
    [{ command: 'a', language: 'python' }, ''],
  ])('refuses %j and writes nothing', async (input, hint) => {
    const made = await scratch()
    const answer = await made.run('new', { item_type: 'tool', item_id: 'x', ...input })
    expect(answer).toMatchObject({ code: 'INVALID_INPUT' })
    expect(answer.hint ?? '').toContain(hint)
    expect((await made.run('list', { source: 'project' })).items).toEqual([])
  })
})

describe('rye new tool --param', () => {
  it.each(['typescript', 'python', 'bash', 'yaml', undefined])('in %s', async language => {
    const made = await scratch()
    const param = ['name:string', 'n?:integer', 'loud:boolean=true', "text:string=it's"]
    const created = await made.run('new', {
      item_type: 'tool',
      item_id: 'ops/x',
      param,
      ...(language && { language }),
    })
    expect(created).toMatchObject({ signed: true })
    if (language === undefined) expect(created.path).toMatch(/\.ts$/)
    const { data } = await made.run('execute', { item_id: 'ops/x', parameters: { name: 'Ann' } })
    expect(data).toMatchObject({ success: true, received: { name: 'Ann', loud: true, text: "it's" } })
    expect(await made.run('execute', { item_id: 'ops/x', parameters: {} })).toMatchObject({
      code: 'PARAMETERS_INVALID',
    })
  })

  it('is for tools', async () => {
    const made = await scratch()
    expect(await made.run('new', { item_type: 'knowledge', item_id: 'x', param: ['a'] })).toMatchObject({
      code: 'INVALID_INPUT',
    })
  })
})

it('says before it starts that shell text is missing', async () => {
  const text =
    'tool_type: yaml\nversion: "1.0.0"\nexecutor_id: rye/core/runtimes/bash/bash\ncategory: ""\ndescription: x\n'
  const made = await scratch({ '.ai/tools/x.yaml': text }, { environment: { RYE_DEV_MODE: '1' } })
  expect(await made.run('sign', { item_id: 'x' })).toMatchObject({
    code: 'VALIDATION_FAILED',
    issues: ['nothing in it can be run: expected shell text in `config.command`'],
  })
  expect(await made.run('execute', { item_id: 'x' })).toMatchObject({
    code: 'CONFIG_INVALID',
    error: '`x` has no `config.command`, which must say what to run',
  })
})
