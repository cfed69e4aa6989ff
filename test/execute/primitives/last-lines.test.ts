// Picks the cause of a failure from a program's output.
import { expect, it } from 'vitest'
import { lastLines } from '../../../src/execute/primitives/last-lines.ts'

const LOG = 'npm error A complete log of this run can be found in: /home/ada/.npm/_logs/x-debug-0.log'

it.each([
  [
    'a read-only cache',
    [
      'npm error code EROFS',
      'npm error syscall mkdir',
      'npm error path /home/ada/.npm',
      'npm error errno EROFS',
      "npm error rofs EROFS: read-only file system, mkdir '/home/ada/.npm'",
      'npm error rofs Often virtualized file systems, or other file systems',
      "npm error rofs that don't support symlinks, give this error.",
      LOG,
    ],
    "npm: EROFS: read-only file system, mkdir '/home/ada/.npm'",
  ],
  [
    'a package that is not there',
    [
      'npm error code E404',
      'npm error 404 Not Found - GET https://registry.npmjs.org/nothing',
      'npm error 404',
      "npm error 404  The requested resource 'nothing@*' could not be found",
      'npm notice New minor version of npm available!',
      LOG,
    ],
    'npm: 404 Not Found - GET https://registry.npmjs.org/nothing',
  ],
  [
    'no network, as an older npm says it',
    [
      'npm ERR! code ENOTFOUND',
      'npm ERR! syscall getaddrinfo',
      'npm ERR! errno ENOTFOUND',
      'npm ERR! network request to https://registry.npmjs.org/x failed, reason: getaddrinfo ENOTFOUND',
      'npm ERR! network This is a problem related to network connectivity.',
    ],
    'npm: network request to https://registry.npmjs.org/x failed, reason: getaddrinfo ENOTFOUND',
  ],
  ['a code alone', ['npm error code 1', LOG], 'npm: code 1'],
])('names the cause of npm, not where its log is: %s', (_, lines, cause) => {
  expect(lastLines(`${lines.join('\n')}\n`)).toBe(cause)
})

it('is the last lines of any other program', () => {
  expect(
    lastLines('one\ntwo\n\nError: three\n    at f (x.js:1)\n    at g (x.js:2)\n\nNode.js v20.1.0\n'),
  ).toBe('one / two / Error: three / at f (x.js:1)')
  expect(lastLines('npm error is a word of mine\n')).toBe('npm error is a word of mine')
})
