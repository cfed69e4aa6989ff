import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseJson, readProcessOutput, readProgress } from '../../../src/execute/primitives/result.ts'
import type { ProcessOutput } from '../../../src/execute/process/capture-process.ts'

function output(stdout: string, parts: Partial<ProcessOutput> = {}): ProcessOutput {
  return {
    ended: 'exit',
    exitCode: 0,
    signal: null,
    stdout: { text: stdout, truncated: false },
    stderr: { text: '', truncated: false },
    ...parts,
  }
}

const NODE_CRASH = `node:internal/modules/cjs/loader:1228
  throw err;
  ^

Error: Cannot find module '/x/server.js'
    at Module._resolveFilename (node:internal/modules/cjs/loader:1225:15)
    at Module._load (node:internal/modules/cjs/loader:1051:27)
    at node:internal/main/run_main_module:28:49 {
  code: 'MODULE_NOT_FOUND',
  requireStack: []
}

Node.js v20.19.4
`

describe('readProcessOutput', () => {
  it.each([
    ['{"a": 1}\n', { a: 1 }],
    ['{}', {}],
    ['[1, 2]', [1, 2]],
    ['42', 42],
    ['null', null],
    ['"text"', 'text'],
    ['{"success": true}', { success: true }],
    ['{"success": "false"}', { success: 'false' }],
    ['', { stdout: '', stderr: '', exit_code: 0 }],
    ['plain\ntext', { stdout: 'plain\ntext', stderr: '', exit_code: 0 }],
    ['{"a": 1}\n{"b": 2}', { stdout: '{"a": 1}\n{"b": 2}', stderr: '', exit_code: 0 }],
  ])('%j is data', (stdout, data) => {
    expect(readProcessOutput(output(stdout), 1_000)).toEqual({ status: 'success', data })
  })

  it('says that output is no text', () => {
    const stdout = { text: '\ufffdPNG', truncated: false, isLossy: true } as const
    expect(readProcessOutput(output('', { stdout }), 1_000)).toEqual({
      status: 'success',
      data: {
        ...{ stdout: '\ufffdPNG', stderr: '', exit_code: 0 },
        note: expect.stringMatching(/not valid UTF-8.*write binary data to a file/),
      },
    })
  })

  it.each([
    ['{"name": "\ufffd"}', 'success'],
    ['{"success": false, "error": "\ufffd"}', 'error'],
  ])('says it beside JSON, which stays as it is: %s', (text, status) => {
    const stdout = { text, truncated: false, isLossy: true } as const
    expect(readProcessOutput(output('', { stdout }), 1_000)).toMatchObject({
      status,
      data: JSON.parse(text),
      note: expect.stringContaining('not valid UTF-8'),
    })
    expect(readProcessOutput(output(text), 1_000)).not.toHaveProperty('note')
  })

  it.each([
    ['{"success": false, "error": "no luck"}', 'no luck'],
    ['{"success": false, "error": {"message": "deep"}}', 'deep'],
    ['{"success": false}', 'the tool answered `success: false`'],
  ])('%s is a failure that keeps its evidence', (stdout, message) => {
    expect(readProcessOutput(output(stdout), 1_000)).toMatchObject({
      status: 'error',
      error: { code: 'EXECUTION_FAILED', message },
      data: JSON.parse(stdout),
    })
  })

  it('a non-zero exit is a failure even when the output says success', () => {
    expect(readProcessOutput(output('{"success": true}', { exitCode: 1 }), 1_000)).toMatchObject({
      status: 'error',
      data: { exit_code: 1, result: { success: true } },
    })
  })

  it('a signal is named', () => {
    const killed = output('', { exitCode: null, signal: 'SIGSEGV' })
    expect(readProcessOutput(killed, 1_000)).toMatchObject({
      error: { message: 'the tool ended with signal SIGSEGV' },
    })
  })

  it('a truncated stream is never read as JSON', () => {
    const cut = output('', { stdout: { text: '1', truncated: true } })
    expect(readProcessOutput(cut, 1_000)).toMatchObject({ data: { stdout: '1', truncated: true } })
  })

  it('messages quote the last lines of standard error, as many as fit', () => {
    const messageOf = (text: string) => {
      const result = readProcessOutput(output('', { exitCode: 1, stderr: { text, truncated: false } }), 1_000)
      return (result as { error: Error }).error.message.replace('the tool ended with exit status 1', '')
    }
    expect(messageOf('')).toBe('')
    expect(messageOf('one\n\ntwo\n  three\n')).toBe(': one / two / three')
    expect(messageOf('0\n1\n2\n3\n4\n')).toBe(': 1 / 2 / 3 / 4')
    expect(messageOf(NODE_CRASH)).toBe(
      ": Error: Cannot find module '/x/server.js' / at Module._resolveFilename (node:internal/modules/cjs/loader:1225:15) / code: 'MODULE_NOT_FOUND', / requireStack: []",
    )
    expect(messageOf(`${'x'.repeat(400)}\nKeyError: 'a'\n`)).toBe(": KeyError: 'a'")
  })

  it('messages show hidden characters and stay short', () => {
    const noisy = output('', {
      exitCode: 1,
      stderr: { text: `\u001b[31m\u202e${'x'.repeat(9_000)}`, truncated: false },
    })
    const result = readProcessOutput(noisy, 1_000)
    const { message } = (result as { error: Error }).error
    expect(message).toMatch(/^the tool ended with exit status 1: \\u\{1b\}\[31m\\u\{202e\}x/)
    const hidden = readProcessOutput(
      output('', { exitCode: 1, stderr: { text: '\u0007'.repeat(400), truncated: false } }),
      1_000,
    )
    const escaped = (hidden as { error: Error }).error.message
    expect(escaped).toHaveLength(500 + '...'.length)
    expect(escaped.endsWith('...')).toBe(true)
    expect(message.length).toBeLessThanOrEqual(500)
  })
})

describe('parseJson', () => {
  it('reads 200 levels and no more', () => {
    const nest = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
    expect(parseJson(nest(200))).toEqual(JSON.parse(nest(200)))
    expect(parseJson(nest(201))).toBeUndefined()
    expect(parseJson(nest(100_000))).toBeUndefined()
    expect(parseJson(`"${'['.repeat(300)}"`)).toBe('['.repeat(300))
  })

  it('agrees with JSON.parse on ordinary values', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), value => {
        const text = JSON.stringify(value)
        expect(parseJson(text)).toEqual(JSON.parse(text))
      }),
    )
  })
})

describe('readProgress', () => {
  it('takes only lines that say progress', () => {
    expect(readProgress('{"progress": 0.5, "message": "half"}')).toEqual({ progress: 0.5, message: 'half' })
    for (const line of ['', 'progress', '{"progress": ', '[1]', '{"other": 1}', '{"a": {"progress": 1}}']) {
      expect(readProgress(line)).toBeUndefined()
    }
  })
})
