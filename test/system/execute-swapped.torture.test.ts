// A signed project under a swapper that exchanges, as fast as it can, every file that a run depends on:
// tools, the files beside them, a runtime in the middle of the chain. The real server reads, verifies and
// runs. Either what was signed runs, or nothing.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { FIXTURES, PYTHON } from '../execute/hand-made-plan.ts'
import { tries } from '../fixtures/tries.ts'
import { answerOf, connectStdio, makeWorld, PROGRAM, type World } from './mcp-world.ts'

const FUNCTION = `"""Says what it and its helper are."""
__version__ = "1.0.0"
__tool_type__ = "python"
__executor_id__ = "rye/core/runtimes/python/function"
__category__ = "swap"
__tool_description__ = "Says what it is"

from helper import WORD


def execute(params, project_path):
    return {"success": True, "words": ["good", WORD]}
`
const HELPER = `"""A word for its neighbour."""
__version__ = "1.0.0"
__tool_type__ = "python"
__category__ = "swap"

WORD = "good"
`
const SCRIPT = `# __version__ = "1.0.0"
# __tool_type__ = "bash"
# __executor_id__ = "swap/shell"
# __category__ = "swap"
# __tool_description__ = "Says what it is"
echo "{\\"words\\": [\\"good\\", \\"$WORD\\"]}"
`
const RUNTIME = `tool_type: runtime
executor_id: rye/core/primitives/subprocess
version: "1.0.0"
category: swap
description: A shell that is good
extensions: [.sh]
env_config:
  interpreter: { type: system_binary, binary: bash, var: RYE_BASH }
  env: { WORD: good }
config:
  command: "\${RYE_BASH}"
  args: ["{tool_path}"]
`

const FILES = {
  '.ai/tools/swap/function.py': FUNCTION,
  '.ai/tools/swap/helper.py': HELPER,
  '.ai/tools/swap/script.sh': SCRIPT,
  '.ai/tools/swap/shell.yaml': RUNTIME,
}

function makeSignedWorld(): World {
  const made = makeWorld()
  const { RYE_DEV_MODE: _, ...env } = made.env
  for (const [path, text] of Object.entries(FILES)) made.write(path, text)
  for (const words of [
    ['keys', 'generate'],
    ['sign', '*'],
  ]) {
    execFileSync(process.execPath, [PROGRAM, ...words], { cwd: made.project, env, stdio: 'pipe' })
  }
  return { ...made, env }
}

const CALLS = tries({ usual: 60, torture: 1000 })

/** Of the function and of the script, as they were signed. */
const ANSWERS = ['{"success":true,"words":["good","good"]}', '{"words":["good","good"]}']

describe('files swapped between verification and start', () => {
  it(`never run, in at least ${CALLS} calls of a server`, async () => {
    const world = makeSignedWorld()
    const { client } = await connectStdio(world, { mode: 'legacy' })
    const call = async (item_id: string) =>
      answerOf(await client.callTool({ name: 'execute', arguments: { item_id } }))
    const good = { status: 'success', data: { words: ['good', 'good'] } }
    for (const id of ['swap/function', 'swap/script']) expect(await call(id)).toMatchObject(good)

    const paths = Object.keys(FILES).map(path => join(world.project, path))
    for (const path of paths) expect(readFileSync(path, 'utf8')).toContain('good')
    const swapper = spawn(PYTHON, [join(FIXTURES, 'swap-files.py'), ...paths])
    await once(swapper.stdout, 'data')
    const seen = new Map<string, number>()
    const isMet = () =>
      ANSWERS.every(answer => seen.has(answer)) &&
      [...seen.keys()].some(shown => shown.startsWith('ITEM_TAMPERED'))
    // Which file a call meets is chance: as often as it takes to meet the signed ones and the others.
    for (let i = 0; i < CALLS || !isMet(); i++) {
      const answer = await call(i % 10 === 0 ? 'swap/script' : 'swap/function')
      const shown =
        answer.status === 'success' ? JSON.stringify(answer.data) : `${answer.code}: ${answer.error}`
      seen.set(shown, (seen.get(shown) ?? 0) + 1)
    }
    swapper.kill('SIGKILL')
    const answers = [...seen.keys()].filter(shown => shown.startsWith('{'))
    expect(answers.sort()).toEqual(ANSWERS)
    const refusals = [...seen.keys()].filter(shown => !shown.startsWith('{'))
    // A file beside the tool that nobody signed is left out, and the tool misses it.
    for (const shown of refusals) expect(shown).toMatch(/^ITEM_TAMPERED|No module named 'helper'/)
  })
})
