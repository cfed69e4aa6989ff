// Words that scripts and agents match on. If a pin fails on purpose, say so in the changelog.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { findAction } from '../../src/actions/table.ts'
import * as library from '../../src/index.ts'
import { mayPassToChild } from '../../src/plan/environment/variable-policy.ts'
import { exitStatus } from '../../src/surfaces/cli/exit-status.ts'

const CODES = [
  'CHAIN_BROKEN',
  'CHAIN_CYCLE',
  'CHAIN_INVALID',
  'CHAIN_TOO_DEEP',
  'CONFIG_INVALID',
  'EXECUTION_CANCELLED',
  'EXECUTION_FAILED',
  'EXECUTION_TIMEOUT',
  'FILE_TOO_LARGE',
  'FILE_UNREADABLE',
  'INTERPRETER_MISSING',
  'INVALID_ID',
  'INVALID_INPUT',
  'ISOLATION_UNAVAILABLE',
  'ITEM_AMBIGUOUS',
  'ITEM_EXISTS',
  'ITEM_MALFORMED',
  'ITEM_NOT_FOUND',
  'ITEM_ROLLED_BACK',
  'ITEM_TAMPERED',
  'ITEM_UNSIGNED',
  'ITEM_UNTRUSTED',
  'KEY_EXISTS',
  'KEY_INVALID',
  'KEY_MISSING',
  'NETWORK_REFUSED',
  'NOT_AVAILABLE',
  'OUTPUT_TOO_LARGE',
  'PARAMETERS_INVALID',
  'POLICY_DENIED',
  'PRIMITIVE_UNKNOWN',
  'PROJECT_NOT_FOUND',
  'QUERY_SYNTAX',
  'REMOTE_FAILED',
  'SCOPE_SYNTAX',
  'SPACE_IMMUTABLE',
  'VALIDATION_FAILED',
  'WRITE_FAILED',
]

describe('pinned', () => {
  it('the codes of errors', () => {
    // Types leave nothing at run time, so the declaration itself is read.
    const source = readFileSync(new URL('../../src/base/app-error.ts', import.meta.url), 'utf8')
    const declared = [...source.matchAll(/^ {2}\| '([A-Z_]+)'$/gm)].map(match => match[1])
    expect(declared.sort()).toEqual(CODES)
  })

  it('the exit statuses', async () => {
    const action = await findAction('load')!.load()
    const wrong = CODES.filter(code => exitStatus(action, { status: 'error', code }, true) === 2)
    expect(wrong).toEqual(['INVALID_ID', 'INVALID_INPUT', 'QUERY_SYNTAX', 'SCOPE_SYNTAX'])
    const failed = CODES.filter(code => exitStatus(action, { status: 'error', code }, true) === 1)
    expect(failed).toHaveLength(CODES.length - wrong.length)
    expect(exitStatus(action, { status: 'success' }, false)).toBe(0)
  })

  it('what passes from our environment to a tool', () => {
    const passed = [
      ...[
        'ComSpec',
        'COMSPEC',
        'HOME',
        'LANG',
        'LANGUAGE',
        'LC_ALL',
        'LC_CTYPE',
        'LOGNAME',
        'PATH',
        'PATHEXT',
        'Path',
      ],
      ...['SYSTEMROOT', 'SystemRoot', 'TEMP', 'TERM', 'TMP', 'TMPDIR', 'TZ', 'USER', 'USERPROFILE'],
    ]
    const kept = [
      ...[
        'AWS_SECRET_ACCESS_KEY',
        'GITHUB_TOKEN',
        'LD_PRELOAD',
        'NODE_OPTIONS',
        'OPENAI_API_KEY',
        'PYTHONPATH',
      ],
      ...[
        'RYE_DEV_MODE',
        'RYE_SIGNING_KEY',
        'SSH_AUTH_SOCK',
        'USER_SPACE',
        'XDG_CACHE_HOME',
        'LC_',
        '',
        '__proto__',
      ],
    ]
    expect(passed.filter(name => !mayPassToChild(name))).toEqual([])
    expect(kept.filter(mayPassToChild)).toEqual(['LC_'])
  })

  it('the exports of the library', () => {
    expect(Object.keys(library).sort()).toEqual(['AppError', 'VERSION', 'openLibrary'])
  })
})
