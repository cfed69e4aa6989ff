// A catalogue that hangs is waited for once, not by every call.
import { describe, expect, it } from 'vitest'
import { AppError } from '../../../src/base/index.ts'
import { Presence } from '../../../src/workspace/shared/away.ts'

const silence = new AppError('REMOTE_FAILED', 'no answer within 5 s')

describe('a catalogue that did not answer', () => {
  it('is not asked again for a while, with the reason', () => {
    const presence = new Presence()
    expect(() => presence.check()).not.toThrow()
    presence.failed(silence, 5000)
    expect(() => presence.check()).toThrow('no answer within 5 s, a moment ago')
  })

  it('is asked again as soon as it has answered, however late', async () => {
    const presence = new Presence()
    presence.failed(silence, 5000)
    expect(await presence.watch(async () => 7)).toBe(7)
    expect(() => presence.check()).not.toThrow()
  })

  it('at once with an error is asked again: somebody may have put it right', async () => {
    const presence = new Presence()
    const refused = () => Promise.reject(new AppError('ITEM_NOT_FOUND', 'no table'))
    await expect(presence.watch(refused)).rejects.toThrow('no table')
    expect(() => presence.check()).not.toThrow()
  })

  it('is not away for what it answered and we refuse', () => {
    const presence = new Presence()
    presence.failed(new AppError('ITEM_MALFORMED', 'other bytes'), 5000)
    presence.failed(new Error('a mistake of ours'), 5000)
    expect(() => presence.check()).not.toThrow()
  })
})
