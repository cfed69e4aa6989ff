// A clone whose `.ai` is a link to a folder of the user: setting it up as a project must write nothing there.
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { makePlace, type Place } from '../run-rye.ts'

let place: Place
let outside: string
beforeEach(() => {
  place = makePlace()
  outside = join(place.root, 'outside')
  mkdirSync(outside)
})
afterEach(() => place.remove())

it.each(['.ai', '.ai/tools'])('`rye init` is refused where %s is a link', async path => {
  mkdirSync(dirname(join(place.project, path)), { recursive: true })
  symlinkSync(outside, join(place.project, path))
  const ran = await place.rye(['init', '--json'])
  expect(ran.json()).toMatchObject({ status: 'error', code: 'WRITE_FAILED' })
  expect(readdirSync(outside)).toEqual([])
})
