// A project on a disk too small for an incoming source: nothing of it stays, and what was there before is
// unchanged.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { skill } from '../workspace/scratch.ts'
import { makePlace, PROGRAM } from './run-rye.ts'

it('a full disk leaves the old state', { timeout: 60_000 }, async () => {
  const place = makePlace()
  onTestFinished(() => place.remove())
  const write = (path: string, text: string) => {
    mkdirSync(join(place.root, path, '..'), { recursive: true })
    writeFileSync(join(place.root, path), text)
  }
  write('small/a/SKILL.md', skill('a'))
  write('large/b/SKILL.md', skill('b'))
  for (let part = 0; part < 8; part++) write(`large/b/part${part}.md`, 'x'.repeat(100_000))
  await place.rye(['keys', 'generate'])
  const digestOf = async (source: string) =>
    (await place.rye(['add', source, '--dry-run', '--json'])).json().digest
  const [small, large] = [await digestOf('../small'), await digestOf('../large')]
  // 400 kB for the project; the rest of the machine has room.
  const rye = `"${process.execPath}" "${PROGRAM}"`
  const script = [
    'mkdir .ai',
    `${rye} add ../small --accept ${small} --json > /dev/null || exit 9`,
    'cp -r .ai "$1"',
    `${rye} add ../large --accept ${large} --json; echo "status $?"`,
    'diff -r .ai "$1" && echo same',
    `${rye} install --frozen --json > /dev/null && echo whole`,
  ].join('\n')
  const words = [
    '--dev-bind',
    '/',
    '/',
    '--size',
    '400000',
    '--tmpfs',
    place.project,
    '--chdir',
    place.project,
  ]
  const copy = join(place.root, 'copy')
  const ran = await place.run('bwrap', [...words, 'sh', '-c', script, 'sh', copy])
  expect(ran.stdout).toContain('WRITE_FAILED')
  expect(ran.stdout).toMatch(/status 1\nsame\nwhole\n$/)
})
