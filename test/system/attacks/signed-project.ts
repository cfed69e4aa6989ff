// The built program in a project with tools signed by its user: the starting point of an attack.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makePlace, type Place, type Ran } from '../run-rye.ts'

export interface SignedProject extends Place {
  /** Writes a file below the project. */
  write(path: string, text: string): string
  /** Signs tools of the project; throws if that fails. */
  sign(...ids: string[]): Promise<void>
  /** Runs a tool and returns what it printed as JSON, failures included. */
  execute(id: string, parameters?: object, env?: Record<string, string>): Promise<ReturnType<Ran['json']>>
}

export async function makeSignedProject(): Promise<SignedProject> {
  const place = makePlace()
  const must = async (words: readonly string[]) => {
    const ran = await place.rye(words)
    if (ran.status !== 0) throw new Error(`rye ${words.join(' ')}: ${ran.stdout}${ran.stderr}`)
  }
  await must(['keys', 'generate'])
  return {
    ...place,
    write(path, text) {
      const file = join(place.project, path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text)
      return file
    },
    async sign(...ids) {
      for (const id of ids) await must(['sign', `tool:${id}`])
    },
    async execute(id, parameters = {}, env = {}) {
      const words = ['execute', `tool:${id}`, '--params', '-', '--trace', '--json']
      return (await place.rye(words, { input: JSON.stringify(parameters), env })).json()
    },
  }
}

const HEAD = [
  ['__version__', '1.0.0'],
  ['__category__', ''],
  ['__tool_description__', 'A tool of a test'],
]

/** The lines at the top of a Python tool. */
export function pythonHead(runtime: 'function' | 'script' = 'function'): string {
  const names = [
    ['__executor_id__', `rye/core/runtimes/python/${runtime}`],
    ['__tool_type__', 'python'],
    ...HEAD,
  ]
  return names.map(([name, value]) => `${name} = ${JSON.stringify(value)}\n`).join('')
}

/** The lines at the top of a JavaScript tool. */
export function nodeHead(): string {
  const names = [['__executor_id__', 'rye/core/runtimes/node/node'], ['__tool_type__', 'javascript'], ...HEAD]
  return names.map(([name, value]) => `export const ${name} = ${JSON.stringify(value)}\n`).join('')
}

/** The lines at the top of a shell tool. */
export function shellHead(): string {
  const names = [['__executor_id__', 'rye/core/runtimes/bash/bash'], ['__tool_type__', 'bash'], ...HEAD]
  return `#!/bin/bash\n${names.map(([name, value]) => `# ${name} = ${JSON.stringify(value)}\n`).join('')}`
}
