import { PassThrough } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type { JSONRPCMessage } from '@modelcontextprotocol/server'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LineTransport, type LineTransportOptions } from '../../../src/surfaces/mcp/line-transport.ts'
import { until } from '../../fixtures/patience.ts'

interface Answer {
  readonly id: unknown
  readonly error?: { readonly code: number; readonly message: string }
}

async function connect(options: Partial<LineTransportOptions> = {}) {
  const input = new PassThrough()
  const output = new PassThrough()
  const transport = new LineTransport(input, output, options)
  const messages: JSONRPCMessage[] = []
  const errors: Error[] = []
  transport.onmessage = message => messages.push(message)
  transport.onerror = error => errors.push(error)
  await transport.start()
  const answers = (): Answer[] =>
    String(output.read() ?? '')
      .split('\n')
      .filter(line => line !== '')
      .map(line => JSON.parse(line))
  const say = async (text: string | Buffer) => {
    input.write(text)
    await delay(0)
  }
  return { input, output, transport, messages, errors, answers, say }
}

const ping = (id: number | string) => ({ jsonrpc: '2.0' as const, id, method: 'ping' })

describe('reading lines', () => {
  it('finds the same messages however the bytes are cut', async () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(
        fc.array(text, { maxLength: 8 }),
        fc.array(fc.nat({ max: 60 })),
        async (texts, cuts) => {
          const { input, messages, transport, answers } = await connect()
          const sent = texts.map((value, id) => ({ ...ping(id), params: { value } }))
          const bytes = Buffer.from(sent.map(message => `${JSON.stringify(message)}\n`).join(''))
          let start = 0
          for (const cut of [...cuts, bytes.length]) {
            input.write(bytes.subarray(start, start + cut))
            start += cut
          }
          input.write(bytes.subarray(start))
          await delay(0)
          expect(messages).toEqual(sent)
          expect(answers()).toEqual([])
          await transport.close()
        },
      ),
      { numRuns: 60 },
    )
  })

  it('never throws, and goes on after any bytes at all', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async bytes => {
        const { say, messages, transport } = await connect({ lineBytes: 100 })
        await say(Buffer.concat([bytes, Buffer.from('\n')]))
        await say(`${JSON.stringify(ping('last'))}\n`)
        expect(messages.at(-1)).toEqual(ping('last'))
        await transport.close()
      }),
      { numRuns: 100 },
    )
  })

  it.each([
    ['words', 'hello', null, -32700],
    ['half an object', '{"jsonrpc":"2.0"', null, -32700],
    ['a NUL', '\0', null, -32700],
    ['a number', '5', null, -32600],
    ['null', 'null', null, -32600],
    ['an empty batch', '[]', null, -32600],
    ['a batch', JSON.stringify([ping(1), ping(2)]), null, -32600],
    ['no version', '{"id":1,"method":"ping"}', 1, -32600],
    ['another version', '{"jsonrpc":"1.0","id":"a","method":"ping"}', 'a', -32600],
    ['a method that is a number', '{"jsonrpc":"2.0","id":7,"method":7}', 7, -32600],
    ['params that are a list', '{"jsonrpc":"2.0","id":7,"method":"ping","params":[1]}', 7, -32600],
    ['an id of null', '{"jsonrpc":"2.0","id":null,"method":"ping"}', null, -32600],
    ['an id that is an object', '{"jsonrpc":"2.0","id":{},"method":"ping"}', null, -32600],
    ['an id that is true', '{"jsonrpc":"2.0","id":true,"method":"ping"}', null, -32600],
    ['an id with a fraction', '{"jsonrpc":"2.0","id":1.5,"method":"ping"}', 1.5, -32600],
  ])('answers %s and reads on', async (_title, line, id, code) => {
    const { say, messages, answers } = await connect()
    await say(`${line}\n${JSON.stringify(ping(2))}\n`)
    expect(answers()).toEqual([{ jsonrpc: '2.0', id, error: { code, message: expect.any(String) } }])
    expect(messages).toEqual([ping(2)])
  })

  it('never answers an answer', async () => {
    const { say, answers, errors } = await connect()
    await say('{"jsonrpc":"2.0","id":1,"result":5}\n{"jsonrpc":"2.0","id":{},"error":{}}\n')
    expect(answers()).toEqual([])
    expect(errors).toHaveLength(2)
  })

  it('passes over empty lines and takes CR LF', async () => {
    const { say, messages, answers } = await connect()
    await say(`\n\r\n  \n${JSON.stringify(ping(1))}\r\n`)
    expect(messages).toEqual([ping(1)])
    expect(answers()).toEqual([])
  })

  it('refuses a line past the limit with its length, and holds none of it', async () => {
    const { say, messages, answers } = await connect({ lineBytes: 1000 })
    const filler = Buffer.alloc(300, 'x')
    for (let i = 0; i < 10; i++) await say(filler)
    await say(`\n${JSON.stringify(ping(1))}\n`)
    expect(answers()).toEqual([
      {
        jsonrpc: '2.0',
        id: null,
        error: { code: -32600, message: 'expected a line of at most 1000 bytes, got 3000' },
      },
    ])
    expect(messages).toEqual([ping(1)])
  })

  it.each([
    [7, (text: string) => `{"jsonrpc":"2.0","id":7,"method":"ping","params":{"text":"${text}"}}`],
    ['a-b', (text: string) => `{"id": "a-b", "method":"ping","params":{"text":"${text}"}}`],
    [7, (text: string) => `{"method":"ping","params":{"text":"${text}","id":8},"jsonrpc":"2.0","id":7}`],
    [7, (text: string) => `{"method":"ping","params":{"text":"${text}"},"id":7,"jsonrpc":"2.0"}\r`],
    [null, (text: string) => `{"jsonrpc":"2.0","method":"ping","params":{"text":"${text}","id":8}}`],
    [null, (text: string) => `{"jsonrpc":"2.0","id":007,"method":"ping","params":{"text":"${text}"}}`],
    [null, (text: string) => `{"jsonrpc":"2.0","id":7,"result":{"text":"${text}"}}`],
    [null, (text: string) => `{"result":{"text":"${text}"},"jsonrpc":"2.0","id":7}`],
    [null, (text: string) => `{"method":"ping","params":{"text":"${text},\\"id\\":8}"}}`],
  ])('answers a request past the limit under its id, %s', async (id, print) => {
    const { say, answers } = await connect({ lineBytes: 1000 })
    const line = print('x'.repeat(3000))
    for (let at = 0; at < line.length; at += 700) await say(line.slice(at, at + 700))
    await say('\n')
    expect(answers()).toMatchObject([{ id, error: { code: -32600 } }])
  })

  it('reads a deep line', async () => {
    const { say, messages, answers } = await connect()
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    await say(
      `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"deep":${deep}}}\n${JSON.stringify(ping(2))}\n`,
    )
    expect(messages.at(-1)).toEqual(ping(2))
    expect(messages.length + answers().length).toBe(2)
  })
})

describe('the end of the input', () => {
  it('closes at once when nothing is under way', async () => {
    const { input, transport } = await connect({ graceMs: 3_600_000 })
    input.end()
    await expect(transport.closed).resolves.toBeUndefined()
  })

  it('reads a last line without line feed, and closes when it is answered', async () => {
    const { input, transport, messages, answers } = await connect({ graceMs: 3_600_000 })
    input.end(JSON.stringify(ping(1)))
    await until(() => messages.length > 0)
    expect(messages).toEqual([ping(1)])
    await transport.send({ jsonrpc: '2.0', id: 1, result: {} })
    await transport.closed
    expect(answers()).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }])
  })

  it('waits for no answer longer than the grace', async () => {
    const { input, transport, answers } = await connect({ graceMs: 20 })
    input.end(`${JSON.stringify(ping(1))}\n`)
    await transport.closed
    await transport.send({ jsonrpc: '2.0', id: 1, result: {} })
    expect(answers()).toEqual([])
  })

  it('waits for no answer to a cancelled request', async () => {
    const { input, transport } = await connect({ graceMs: 3_600_000 })
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }
    input.end(`${JSON.stringify(ping(1))}\n${JSON.stringify(cancelled)}\n`)
    await expect(transport.closed).resolves.toBeUndefined()
  })

  it('closes when the output breaks', async () => {
    const { output, transport } = await connect()
    output.destroy(new Error('EPIPE'))
    await expect(transport.closed).resolves.toBeUndefined()
  })
})
