// What the machine has for running tools.
import { openRunner, type Workspace } from '../../../workspace/index.ts'
import type { Check } from './check.ts'

export function checkNode(): Check {
  return { name: 'node', status: 'ok', message: process.versions.node }
}

export async function checkPython(workspace: Workspace): Promise<Check> {
  const runner = await openRunner(workspace)
  const path = await runner.findInterpreter({ files: [], names: ['python3', 'python'], command: null })
  if (path) return { name: 'python', status: 'ok', message: path }
  return {
    name: 'python',
    status: 'problem',
    message: 'no python3 on PATH: Python tools cannot run',
    mend: 'apt-get install python3',
  }
}

export async function checkIsolation(workspace: Workspace): Promise<Check> {
  const isolation = await (await openRunner(workspace)).isolation()
  if (isolation === 'bubblewrap') return { name: 'isolation', status: 'ok', message: 'bubblewrap' }
  return {
    name: 'isolation',
    status: 'note',
    message: 'tools run without a sandbox, in process groups of their own',
    mend: 'apt-get install bubblewrap',
  }
}
