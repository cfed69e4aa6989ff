// Checks what this machine has for running tools.
import { findOnPath } from '../../../execute/index.ts'
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
    status: 'note',
    message: 'no python3 on PATH: tools written in Python cannot run; all others can',
    ...fixByInstalling('python3', workspace),
  }
}

export async function checkBash(workspace: Workspace): Promise<Check[]> {
  const runner = await openRunner(workspace)
  if (await runner.findInterpreter({ files: [], names: ['bash'], command: null })) return []
  const message = 'no bash on PATH: shell tools cannot run, and `rye/bash` uses sh instead'
  return [{ name: 'bash', status: 'note', message, ...fixByInstalling('bash', workspace) }]
}

export async function checkIsolation(workspace: Workspace): Promise<Check> {
  const runner = await openRunner(workspace)
  const isolation = await runner.isolation()
  if (isolation === 'bubblewrap' && (await runner.filtersCalls()))
    return { name: 'isolation', status: 'ok', message: 'bubblewrap' }
  if (isolation === 'bubblewrap') {
    const message =
      'bubblewrap without a filter of system calls: none of ours works on this kernel or processor'
    return { name: 'isolation', status: 'note', message }
  }
  return {
    name: 'isolation',
    status: 'note',
    message:
      'tools run without a sandbox, in process groups of their own: files and network are open to them',
    ...(process.platform === 'linux' && fixByInstalling('bubblewrap', workspace)),
  }
}

/** Finds guards, which keep a tool from creating protected paths, left behind by runs that were killed. */
export async function checkGuards(workspace: Workspace): Promise<Check[]> {
  const runner = await openRunner(workspace)
  const left = runner.leftGuards(workspace.projectPath)
  if (left.length === 0) return []
  const isSwept = (await runner.isolation()) === 'bubblewrap'
  const what = `a run that was killed left empty stand-ins, which nothing uses any more: ${left.join(', ')}`
  const message = isSwept
    ? `${what}; the next run in a sandbox removes them:`
    : `${what}; remove them, with the empty folders in them`
  return [{ name: 'guards', status: 'note', message, ...(isSwept && { fix: SANDBOXED_RUN }) }]
}

const SANDBOXED_RUN = 'rye execute tool:rye/bash@system --param command=true'

const INSTALLERS: Readonly<Record<string, string>> = {
  'apt-get': 'install',
  dnf: 'install',
  apk: 'add',
  pacman: '-S',
  zypper: 'install',
  brew: 'install',
}

/** Empty if no package manager is found. The three package names are the same in all of them. */
function fixByInstalling(name: string, { library }: Workspace): Pick<Check, 'fix'> {
  const installer = Object.keys(INSTALLERS).find(one => findOnPath(one, library.environment.PATH ?? ''))
  return installer === undefined ? {} : { fix: `${installer} ${INSTALLERS[installer]} ${name}` }
}
