// What an item says reaches a terminal: characters that control it or reorder its text are written as
// escapes, in JSON too.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PYTHON } from '../../execute/hand-made-plan.ts'
import { answerOf, connectStdio, ERAS, makeWorld } from '../mcp-world.ts'
import { PROGRAM } from '../run-rye.ts'
import { makeSignedProject, pythonHead, type SignedProject } from './signed-project.ts'

// A one-character control sequence, a direction override, an isolate, a tag character, a line separator.
const HOSTILE = 'a\u009b31mb\u202ec\u2066d\u{e0041}e\u2028f\u007fg'
const HIDDEN = /[\p{Cf}\u007f-\u009f\u2028\u2029]|[\u0000-\u0009\u000b-\u001f]/u

let project: SignedProject
beforeAll(async () => {
  project = await makeSignedProject()
  project.write(
    '.ai/tools/speak.py',
    `${pythonHead()}def execute(params, project_path):\n    return {"text": params["text"], params["text"]: 1}\n`,
  )
  project.write(
    '.ai/tools/fail.py',
    `${pythonHead()}def execute(params, project_path):\n    return {"success": False, "text": params["text"]}\n`,
  )
  await project.sign('speak', 'fail')
  project.write(
    '.ai/knowledge/note.md',
    `---\nname: note\ntitle: "${HOSTILE}"\nentry_type: reference\ncategory: ""\nversion: "1.0.0"\ndescription: "${HOSTILE}"\n---\n\nnote ${HOSTILE}\n`,
  )
})
afterAll(() => project.remove())

describe('a command prints nothing hidden', () => {
  const input = JSON.stringify({ text: HOSTILE })

  it('of the answer of a tool, and the JSON is the same value', async () => {
    const ran = await project.rye(['execute', 'tool:speak', '--params', '-', '--json'], { input })
    expect(ran.stdout).not.toMatch(HIDDEN)
    expect(ran.json().data).toEqual({ text: HOSTILE, [HOSTILE]: 1 })
  })

  const commands = [
    ['execute', 'tool:speak', '--params', '-'],
    ['execute', 'tool:speak', '--params', '-', '--trace'],
    ['execute', 'tool:speak', '--params', '-', '--dry-run', '--json'],
    ['execute', 'tool:fail', '--params', '-', '--json'],
    ['execute', 'tool:fail', '--params', '-'],
    ['execute', `tool:${HOSTILE}`, '--json'],
    ['load', 'knowledge:note', '--json'],
    ['show', 'knowledge:note', '--json'],
    ['search', 'note', '--json'],
    ['list', '--json'],
    ['verify', '--json'],
    ['validate', 'knowledge:note', '--json'],
    ['runs', '--json'],
    ['keys', 'trust', `${HOSTILE}.toml`, '--json'],
    ['skills', 'list', HOSTILE, '--json'],
    [HOSTILE, '--json'],
    [HOSTILE],
  ]
  it.each(commands.map(words => ({ words, title: words.join(' ').replace(HOSTILE, 'HOSTILE') })))(
    'rye $title',
    async ({ words }) => {
      const ran = await project.rye(words, { input, env: { RYE_DEV_MODE: '1' } })
      expect(ran.stdout + ran.stderr).not.toBe('')
      expect(ran.stdout + ran.stderr).not.toMatch(HIDDEN)
      if (words.includes('--json')) expect(ran.json()).toBeTypeOf('object')
    },
  )
})

const MESSAGE = '\\u001b]0;owned\\u0007\\u009b2Jhalf\\u202e'
const progressTool = `#!/bin/bash
# __version__ = "1.0.0"
# __executor_id__ = "rye/core/runtimes/bash/bash"
echo '{"progress": 1, "total": 2, "message": "${MESSAGE}"}' >&2
sleep 0.1
echo '"done"'
`

describe('a message of progress', () => {
  it.each(ERAS)('reaches a client of %s as plain text', async (_name, era) => {
    const world = makeWorld()
    world.write('.ai/tools/speak.sh', progressTool)
    const { client } = await connectStdio(world, era)
    const messages: (string | undefined)[] = []
    const result = await client.callTool(
      { name: 'execute', arguments: { item_id: 'speak', project_path: world.project } },
      { onprogress: ({ message }) => messages.push(message) },
    )
    expect(answerOf(result)).toMatchObject({ status: 'success' })
    expect(messages).toEqual(['\\u{1b}]0;owned\\u{7}\\u{9b}2Jhalf\\u{202e}'])
  })

  it('reaches a terminal as plain text', async () => {
    project.write('.ai/tools/progress.sh', progressTool)
    const inTerminal = 'import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))'
    const words = ['-c', inTerminal, process.execPath, PROGRAM, 'execute', 'tool:progress']
    const ran = await project.run(PYTHON, words, { env: { RYE_DEV_MODE: '1' } })
    expect(ran.stdout).toContain('\\u{1b}]0;owned\\u{7}\\u{9b}2Jhalf\\u{202e}')
    expect(ran.stdout).not.toMatch(/\u001b\]|\u0007|\u009b|\u202e/)
  })
})
