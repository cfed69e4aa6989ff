// A clone brings modules named like Python's own. A signed tool imports none of them, nor do the processes
// that Python starts for it, such as those of `multiprocessing`; modules signed beside the tool are still
// imported.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeSignedProject, pythonHead, type SignedProject } from './signed-project.ts'

let project: SignedProject
beforeAll(async () => {
  project = await makeSignedProject()
  const planted = `import os\nopen(${JSON.stringify(join(project.project, 'stolen'))}, "w").write("planted")\nos._exit(9)\n`
  for (const name of ['json', 'signal', 'rye_tool', 'multiprocessing/__init__'])
    project.write(`${name}.py`, planted)
})
afterAll(() => project.remove())

const USED = `import json, os, sys, time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context, shared_memory
def size(number):
    return abs(number)
`
/** Has Python start a process that looks after the memory. */
const WORK = `memory = shared_memory.SharedMemory(create=True, size=8)
memory.close()
memory.unlink()
time.sleep(0.5)
found = [LEVEL, "PYTHONSAFEPATH" in os.environ, os.getcwd() in sys.path or "" in sys.path]
`
const POOL = `for method in ("spawn", "forkserver"):
    with ProcessPoolExecutor(1, mp_context=get_context(method)) as pool:
        found += pool.map(size, [-1])
`
const FOUND = ['signed', false, false]

function indent(text: string): string {
  return text.replaceAll(/^(?=.)/gm, '    ')
}

it('a function', async () => {
  project.write('.ai/tools/f/level.py', `${moduleHead('f')}LEVEL = "signed"\n`)
  project.write(
    '.ai/tools/f/work.py',
    `${categoryHead('function', 'f')}${USED}from level import LEVEL\ndef execute(params, project_path):\n${indent(WORK + POOL)}    return found\n`,
  )
  await project.sign('f/level', 'f/work')
  expect(await project.execute('f/work')).toMatchObject({ status: 'success', data: [...FOUND, 1, 1] })
  expect(existsSync(join(project.project, 'stolen'))).toBe(false)
})

it('a script', async () => {
  project.write('.ai/tools/s/level.py', `${moduleHead('s')}LEVEL = "signed"\n`)
  project.write(
    '.ai/tools/s/work.py',
    `${categoryHead('script', 's')}${USED}from level import LEVEL\nif __name__ == "__main__":\n${indent(WORK + POOL)}    print(json.dumps(found))\n`,
  )
  await project.sign('s/level', 's/work')
  expect(await project.execute('s/work')).toMatchObject({ status: 'success', data: [...FOUND, 1, 1] })
  expect(existsSync(join(project.project, 'stolen'))).toBe(false)
})

it('a script of a skill', async () => {
  const skill = (path: string, text: string) => project.write(`.ai/skills/sk/${path}`, text)
  skill('SKILL.md', '---\nname: sk\ndescription: A skill. Use it in a test.\n---\n\nRun it.\n')
  skill('scripts/level.py', 'LEVEL = "signed"\n')
  skill(
    'scripts/work.py',
    `${USED}from level import LEVEL\nif __name__ == "__main__":\n${indent(WORK + POOL)}    print(json.dumps(found))\n`,
  )
  expect((await project.rye(['sign', 'skill:sk'])).status).toBe(0)
  const ran = await project.rye(['execute', 'skill:sk/scripts/work.py', '--json'])
  expect(ran.json()).toMatchObject({ status: 'success', data: [...FOUND, 1, 1] })
  expect(existsSync(join(project.project, 'stolen'))).toBe(false)
})

it('a variable of the signer stays as it was signed', async () => {
  const declared = 'ENV_CONFIG = {"env": {"PYTHONSAFEPATH": "1"}}\n'
  const body = 'import os\ndef execute(params, project_path):\n    return os.environ["PYTHONSAFEPATH"]\n'
  project.write('.ai/tools/own.py', `${pythonHead()}${declared}${body}`)
  await project.sign('own')
  expect(await project.execute('own')).toMatchObject({ status: 'success', data: '1' })
})

function categoryHead(runtime: 'function' | 'script', category: string): string {
  return pythonHead(runtime).replace('__category__ = ""', `__category__ = "${category}"`)
}

/** Of a file that tools import. */
function moduleHead(category: string): string {
  return categoryHead('function', category).replace(/^__executor_id__.*\n/, '')
}
