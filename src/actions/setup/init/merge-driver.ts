// Makes git merge items with `rye merge`: writes an attribute to the project, which is shared, and the
// command to the settings of this clone, which are not. In a clone without the command git merges as text,
// and `rye sign --resolve` does the rest.
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { AppError, quoteShellWord } from '../../../base/index.ts'
import { atomicWrite, readFile } from '../../../files/index.ts'
import type { Workspace } from '../../../workspace/index.ts'
import type { ActionContext, Program } from '../../definition/action.ts'

const ATTRIBUTE = '.ai/** merge=rye'
const MERGE_AS_TEXT = "grep -q '^<<<<<<< ' %A || git merge-file -L ours -L base -L theirs %A %O %B"
const ATTRIBUTES_BYTES = 1024 * 1024
/** Timeout: `git config` returns at once, unless its file is not a regular file. */
const GIT_MS = 10_000

/** Returns what was changed. */
export async function installMergeDriver(
  { program, runProgram }: Pick<ActionContext, 'program' | 'runProgram'>,
  { projectPath, library }: Pick<Workspace, 'projectPath' | 'library'>,
): Promise<string[]> {
  if (!runProgram) throw new AppError('NOT_AVAILABLE', 'a merge driver is set up with git, by a person')
  const settings = [
    ['merge.rye.name', 'merge signed items'],
    ['merge.rye.driver', driverCommand(program ?? installedProgram(library))],
  ] as const
  for (const [name, value] of settings) {
    const args = ['config', '--local', name, value]
    const { status, errors } = await runProgram({
      command: 'git',
      args,
      directory: projectPath,
      timeoutMs: GIT_MS,
    })
    if (status === null)
      throw new AppError(
        'NOT_AVAILABLE',
        `a merge driver needs git, which does not run here: ${errors.trim()}`,
        {
          hint: 'install git, or see whether `.git/config` is a file, then use `rye init --merge-driver` again',
        },
      )
    if (status !== 0)
      throw new AppError('WRITE_FAILED', `git rejected the merge driver: ${errors.trim() || 'it failed'}`, {
        hint: `\`${projectPath}\` must be in a repository: \`git init\``,
      })
  }
  const path = join(projectPath, '.gitattributes')
  const before = readFile(path, { maxBytes: ATTRIBUTES_BYTES })?.bytes.toString('utf8') ?? ''
  if (before.split(/\r?\n/).includes(ATTRIBUTE)) return ['merge driver of git']
  const start = before === '' || before.endsWith('\n') ? before : `${before}\n`
  atomicWrite(path, `${start}${ATTRIBUTE}\n`, { root: projectPath })
  return ['merge driver of git', path]
}

/** Whether the project is in a repository where git merges items as plain text. */
export function lacksMergeDriver({ projectPath }: Pick<Workspace, 'projectPath'>): boolean {
  const attributes = readFile(join(projectPath, '.gitattributes'), { maxBytes: ATTRIBUTES_BYTES })
  return isInRepository(projectPath) && !attributes?.bytes.includes(ATTRIBUTE)
}

function isInRepository(folder: string): boolean {
  if (existsSync(join(folder, '.git'))) return true
  const above = dirname(folder)
  return above !== folder && isInRepository(above)
}

/**
 * Git runs this in a shell, replacing the letters by file names. If our command cannot run (no network, not
 * installed), git would keep our side with no mark of the other, and a commit would lose the other edit. So
 * the files are then merged as text.
 */
function driverCommand({ command, args = [] }: Program): string {
  const ours = [command, ...args, 'merge'].map(quoteShellWord).join(' ')
  return `${ours} %O %A %B %P || { ${MERGE_AS_TEXT}; false; }`
}

/**
 * This program, by its path: only git on this machine reads the setting, and npm would look in the project
 * first.
 */
function installedProgram({ systemRoot }: Pick<Workspace['library'], 'systemRoot'>): Program {
  return { command: process.execPath, args: [join(dirname(dirname(systemRoot)), 'dist', 'rye.cjs')] }
}
