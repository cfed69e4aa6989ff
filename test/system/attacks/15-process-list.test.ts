// Any user of the machine reads a running script's parameters, passwords included, in the process list.
import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeSignedProject, nodeHead, pythonHead, type SignedProject } from './signed-project.ts'

const PASSWORD = 'correct-horse-battery-staple'

const PYTHON = `${pythonHead('script')}import argparse, json, os, sys, time
parser = argparse.ArgumentParser()
parser.add_argument("--params")
parser.add_argument("--project-path")
given = parser.parse_args()
open(os.path.join(given.project_path, "started-python"), "w").close()
while not os.path.exists(os.path.join(given.project_path, "looked-python")):
    time.sleep(0.01)
same = json.loads(sys.stdin.read()) == json.loads(given.params)
print(json.dumps([json.loads(given.params), same, __name__, os.path.basename(sys.argv[0])]))
`
const NODE = `${nodeHead()}import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
const { values } = parseArgs({ options: { params: { type: 'string' }, 'project-path': { type: 'string' } } })
const project = values['project-path']
writeFileSync(join(project, 'started-node'), '')
while (!existsSync(join(project, 'looked-node'))) await new Promise(done => setTimeout(done, 10))
const same = readFileSync(0, 'utf8') === values.params
console.log(JSON.stringify([JSON.parse(values.params), same, process.execArgv, basename(process.argv[1])]))
`

let project: SignedProject
beforeAll(async () => {
  project = await makeSignedProject()
  project.write('.ai/tools/login-python.py', PYTHON)
  project.write('.ai/tools/login-node.mjs', NODE)
  await project.sign('login-python', 'login-node')
})
afterAll(() => project.remove())

function processList(): string[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(pid => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      } catch {
        return ''
      }
    })
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise(resolve => setTimeout(resolve, 20))
}

it.each([
  ['python', '__main__', 'login-python.py'],
  ['node', [], 'login-node.mjs'],
])('a %s script finds its parameters as ever, and nobody else does', async (name, detail, file) => {
  const running = project.execute(`login-${name}`, { password: PASSWORD })
  await until(() => readdirSync(project.project).includes(`started-${name}`))
  const list = processList()
  project.write(`looked-${name}`, '')
  const { data } = await running
  expect(list.filter(line => line.includes(`login-${name}`))).not.toEqual([])
  expect(list.filter(line => line.includes(PASSWORD))).toEqual([])
  expect(data).toEqual([{ password: PASSWORD }, true, detail, file])
})

it('a traceback begins with the script', async () => {
  project.write(
    '.ai/tools/failing.py',
    `${pythonHead('script')}def inner():\n    raise ValueError("no")\ninner()\n`,
  )
  await project.sign('failing')
  const { data, status } = await project.execute('failing')
  expect(status).toBe('error')
  expect(JSON.stringify(data)).toContain('ValueError: no')
  expect(JSON.stringify(data)).not.toContain('private_arguments')
})

it('parameters of any size are arguments of a script', async () => {
  const { data } = await project.execute('login-python', { password: 'x'.repeat(300_000) })
  expect(data.size).toBeGreaterThan(300_000)
  expect(data.head).toContain(`"password":"xxxxxxxx`)
})
