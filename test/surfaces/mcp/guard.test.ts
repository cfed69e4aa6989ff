import { describe, expect, it } from 'vitest'
import { bearerOf, refusalOf } from '../../../src/surfaces/mcp/http/guard.ts'

const guard = { hosts: ['127.0.0.1:4477', 'localhost:4477', '[::1]:4477', 'rye.example'] }
const good = { host: '127.0.0.1:4477' }

describe('the guard lets in', () => {
  it.each([
    ['the address', good],
    ['the name', { ...good, host: 'localhost:4477' }],
    ['the name in capitals', { ...good, host: 'LOCALHOST:4477' }],
    ['IPv6', { ...good, host: '[::1]:4477' }],
    ['its own origin', { ...good, origin: 'http://127.0.0.1:4477' }],
    ['the name of a balancer', { ...good, host: 'rye.example', origin: 'https://rye.example' }],
  ])('%s', (_title, headers) => {
    expect(refusalOf(guard, '/mcp', headers)).toBeUndefined()
  })
})

describe('the guard refuses', () => {
  it.each([
    ['no Host', 403, { ...good, host: undefined }],
    ['a rebound name', 403, { ...good, host: 'evil.example:4477' }],
    ['a name that only begins right', 403, { ...good, host: '127.0.0.1:4477.evil.example' }],
    ['a name that only ends right', 403, { ...good, host: 'evil-localhost:4477' }],
    ['another port', 403, { ...good, host: '127.0.0.1:80' }],
    ['no port', 403, { ...good, host: '127.0.0.1' }],
    ['a page of another origin', 403, { ...good, origin: 'https://evil.example' }],
    ['a page of another port', 403, { ...good, origin: 'http://127.0.0.1:8080' }],
    ['the origin of a file', 403, { ...good, origin: 'null' }],
    ['an origin that only begins right', 403, { ...good, origin: 'http://127.0.0.1:4477.evil.example' }],
    ['an empty origin', 403, { ...good, origin: '' }],
  ])('%s with %i', (_title, status, headers) => {
    expect(refusalOf(guard, '/mcp', headers)?.status).toBe(status)
  })

  it.each(['/', '/mcp/', '/mcp2', '/MCP', '//mcp', ''])('the path %j with 404', path => {
    expect(refusalOf(guard, path, good)?.status).toBe(404)
  })
})

it.each([
  ['Bearer correct-horse-battery', 'correct-horse-battery'],
  ['bearer  correct-horse-battery ', 'correct-horse-battery'],
  [undefined, ''],
  ['Bearer ', ''],
  ['Basic correct-horse-battery', ''],
  ['Bearer x correct-horse-battery', ''],
  ['correct-horse-battery', ''],
])('the token of %j is %j', (authorization, token) => {
  expect(bearerOf(authorization)).toBe(token)
})
