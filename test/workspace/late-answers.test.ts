import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { LateAnswers, within } from '../../src/workspace/late-answers.ts'

it('keeps what came too late for who asks the same again, and what failed for nobody', async () => {
  const late = new LateAnswers<string>(60_000)
  let answer = (_text: string) => {}
  const ask = () =>
    late.ask('tea', () => {
      return new Promise<string>(resolve => {
        answer = resolve
      })
    })
  await expect(within(ask(), 1)).rejects.toMatchObject({
    code: 'REMOTE_FAILED',
    message: 'no answer within 0.001 s',
  })
  answer('leaves')
  expect(await within(ask(), 1000)).toBe('leaves')
  late.forget('tea')
  const again = ask()
  answer('fresh leaves')
  expect(await again).toBe('fresh leaves')
  await expect(late.ask('bread', async () => Promise.reject(new Error('burnt')))).rejects.toThrow('burnt')
  expect(await late.ask('bread', async () => 'baked')).toBe('baked')
})

it('asks no more of one who answers nothing, and gives up when it is closed', async () => {
  const late = new LateAnswers<string>(0)
  const signals: AbortSignal[] = []
  const never = (signal: AbortSignal) => {
    signals.push(signal)
    return new Promise<string>(() => {})
  }
  for (let question = 0; question < 8; question++) void late.ask(`${question}`, never)
  await expect(late.ask('one more', never)).rejects.toThrow('too many requests are waiting')
  expect(signals).toHaveLength(8)
  late.close()
  expect(signals.every(({ aborted }) => aborted)).toBe(true)
})

it('what is refused may be taken later, as what is asked may', async () => {
  const unhandled: unknown[] = []
  const note = (reason: unknown) => void unhandled.push(reason)
  process.on('unhandledRejection', note)
  onTestFinished(() => void process.off('unhandledRejection', note))
  const late = new LateAnswers<string>(0)
  for (let question = 0; question < 8; question++)
    void late.ask(`${question}`, () => new Promise<string>(() => {}))
  const refused = late.ask('one more', async () => 'leaves')
  await nextTurn()
  expect(unhandled).toEqual([])
  await expect(refused).rejects.toThrow('too many requests are waiting')
})
