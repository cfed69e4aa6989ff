import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type LibraryOptions, openLibrary } from '../../src/actions/open-library.ts'
import type { ActionName } from '../../src/actions/signatures.ts'
import { type Scratch, scratch, tool } from '../workspace/scratch.ts'

function open(made: Scratch, options: Partial<LibraryOptions> = {}) {
  const library = openLibrary({ caller: 'person', environment: made.environment, ...options })
  onTestFinished(() => library.close())
  return library
}

describe('an option of another type', () => {
  it.each([
    [undefined, '`options`: expected an object, got nothing'],
    [5, '`options`: expected an object, got a number'],
    [{ caller: 'Agent' }, '`caller`: expected person or agent, got `Agent`'],
    [{ caller: undefined }, '`caller`: expected person or agent, got nothing'],
    [{ caller: 1 }, '`caller`: expected person or agent, got `1`'],
    [{ caller: Object.create(null) }, '`caller`: expected person or agent, got an object'],
    [
      { environment: new Map([['HOME', '/x']]) },
      '`environment`: expected names with their values, got a collection',
    ],
    [{ environment: null }, '`environment`: expected an object, got null'],
    [{ environment: { HOME: 5 } }, '`environment.HOME`: expected a string, got a number'],
    [{ directory: [] }, '`directory`: expected a string, got a list'],
    [{ program: 'npx' }, '`program`: expected an object, got a string'],
    [{ program: {} }, '`program.command`: expected a string, got nothing'],
    [{ program: { command: 'npx', args: [1] } }, '`program.args`: expected a list of strings, got a list'],
  ])('is told: %j', (given, message) => {
    const options =
      typeof given === 'object' ? { caller: 'person', environment: {}, ...given } : (given as unknown)
    let thrown: unknown
    try {
      openLibrary(options as LibraryOptions)
    } catch (error) {
      thrown = error
    }
    expect(thrown).toMatchObject({ name: 'AppError', code: 'INVALID_INPUT', message })
  })

  it.each([
    [5, '`options`: expected an object, got a number'],
    [null, '`options`: expected an object, got null'],
    [{ signal: {} }, '`signal`: expected an AbortSignal, got an object'],
    [{ onProgress: 'x' }, '`onProgress`: expected a function, got a string'],
  ])('is an answer of a call: %j', async (given, error) => {
    const made = await scratch()
    const answer = await open(made).call('list', { project_path: made.project }, given as never)
    expect(answer).toEqual({ status: 'error', code: 'INVALID_INPUT', error })
  })

  it('may be nothing', async () => {
    const made = await scratch()
    const options = { signal: null, onProgress: undefined } as never
    expect(await open(made).call('list', { project_path: made.project }, options)).toHaveProperty('items')
  })
})

function nested(levels: number): unknown {
  let value: unknown = 1
  for (let level = 0; level < levels; level++) value = [value]
  return value
}

describe('what a program may get wrong', () => {
  it('begins past a hundred levels', async () => {
    const made = await scratch({ '.ai/tools/a.py': tool('a') })
    await made.sign('a')
    const input = { item_id: 'a', parameters: { a: nested(98) }, dry_run: true, project_path: made.project }
    expect(await open(made).call('execute', input)).toMatchObject({ status: 'validation_passed' })
  })

  it.each([
    [
      'a circle',
      () => {
        const circle: Record<string, unknown> = {}
        circle.parameters = circle
        return circle
      },
    ],
    ['a large number', () => ({ parameters: { n: 1n } })],
    [
      'a getter that throws',
      () => ({
        get query() {
          throw new Error('no')
        },
      }),
    ],
    [
      'a getter that throws no error',
      () => ({
        get query() {
          throw undefined
        },
      }),
    ],
    ['no object', () => 'deploy'],
    ['a function', () => () => {}],
    ['nothing', () => undefined],
    ['a list', () => []],
    ['a deep value', () => ({ item_id: 'a', parameters: { a: nested(99) } })],
    ['a value deeper than the stack', () => ({ item_id: 'a', parameters: { a: nested(50_000) } })],
  ])('%s as input is an answer', async (_title, make) => {
    const made = await scratch()
    const answer = await open(made).call('execute', make() as never)
    expect(answer).toMatchObject({ status: 'error', code: 'INVALID_INPUT' })
    expect(answer).not.toMatchObject({ error: expect.stringMatching(/\\u\{|undefined/) })
  })

  it.each(['serch', '', '__proto__', 'constructor', 'toString', 'keys'])(
    'the action `%s` is an answer',
    async name => {
      const made = await scratch()
      const answer = await open(made).call(name as ActionName, {} as never)
      expect(answer).toMatchObject({
        status: 'error',
        code: 'INVALID_INPUT',
        error: `unknown action \`${name}\``,
      })
    },
  )

  it.each([
    [undefined, 'nothing'],
    [5, 'a number'],
    [Symbol('search'), 'a symbol'],
  ])('an action that is no name is an answer', async (name, shown) => {
    const made = await scratch()
    const error = `expected the name of an action, got ${shown}`
    const answer = await open(made).call(name as never, {} as never)
    expect(answer).toEqual({ status: 'error', code: 'INVALID_INPUT', error })
  })

  it('is never thrown, whatever the input', async () => {
    const made = await scratch()
    const library = open(made, { caller: 'agent' })
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('load', 'fetch', 'show', 'list', 'verify', 'runs'),
        fc.dictionary(
          fc.constantFrom('item_id', 'item_type', 'query', 'targets', 'limit', 'x'),
          fc.jsonValue(),
        ),
        async (name, input) => {
          const answer = await library.call(name as 'load', { project_path: made.project, ...input } as never)
          expect(Object.keys(answer).length).toBeGreaterThan(0)
        },
      ),
      { numRuns: 60 },
    )
  })
})
