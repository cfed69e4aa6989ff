// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these placeholders are what is tested
// What a server description may contain without a signature, and what it may not.
import { expect, it } from 'vitest'
import { asDescription, describeServer } from '../../../src/actions/servers/describe-server.ts'
import { planServer } from '../../../src/plan/invocation/mcp.ts'
import { makeContext } from '../../plan/world.ts'

const stdio = { command: 'npx', args: ['-y', 'x'] }

it('has the public web, unless it names its hosts', () => {
  const described = describeServer(stdio)
  expect(described).toEqual({
    config: { transport: 'stdio', command: 'npx', args: ['-y', 'x'], env: {} },
    network: ['*'],
    variables: [],
    needsSignature: undefined,
  })
  const plan = (network: string[]) =>
    planServer(asDescription('npx', describeServer({ ...stdio, network })).item, makeContext()).permissions
  expect(plan(['*'])).toEqual({ network: ['*'], write: [] })
  expect(plan(['api.example.com', '*.example.org:8443'])).toEqual({
    network: ['api.example.com', '*.example.org:8443'],
    write: [],
  })
  expect(plan([])).toEqual({ network: [], write: [] })
})

it.each([
  'localhost:3000',
  '127.0.0.1:3000',
  '10.0.0.5',
  '8.8.8.8',
  '[fd00::1]:80',
  'private:git.corp',
  '{resolved_config.x}',
])('needs a signature to reach %s', host => {
  const { needsSignature } = describeServer({ ...stdio, network: ['example.com', host] })
  expect(needsSignature).toContain('only a signed server item may reach')
})

it('needs a signature for variables that no tool has, and for private addresses', () => {
  expect(describeServer({ ...stdio, env: { T: '${T}', U: '${U:-u}', P: '${PATH}' } })).toMatchObject({
    variables: ['T'],
    needsSignature: expect.stringContaining('`T`'),
  })
  expect(describeServer({ ...stdio, args: ['--key', '${A}', '${A}'] }).variables).toEqual(['A'])
  expect(describeServer({ url: 'http://x', allow_private: true }).needsSignature).toContain('private')
  expect(describeServer({ url: 'https://x', headers: { a: 'Bearer ${A}' } }).variables).toEqual(['A'])
})

it.each([
  [{}, 'either `url` or `command`'],
  [{ ...stdio, url: 'https://x' }, 'either `url` or `command`'],
  [{ ...stdio, env: { A: 1 } }, '`env`: expected a string for `A`'],
  [{ ...stdio, network: ['https://x'] }, 'expected a host without `https://`'],
])('refuses %j', (input, message) => {
  expect(() => describeServer(input)).toThrow(message)
})
