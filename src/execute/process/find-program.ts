// Finds programs on disk: by absolute path, or by name in a `PATH`.
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join, posix } from 'node:path'
import { AppError } from '../../base/index.ts'
import { searchPath } from './search-path.ts'

/** The first executable regular file of that name. Relative entries of `PATH` are ignored. */
export function findOnPath(name: string, path: string): string | undefined {
  if (name === '' || name.includes('/') || name.includes('\0')) return undefined
  const names = process.platform === 'win32' ? [`${name}.exe`, `${name}.cmd`, name] : [name]
  for (const directory of path.split(delimiter)) {
    if (!isAbsolute(directory)) continue
    const found = names.map(entry => join(directory, entry)).find(isExecutable)
    if (found !== undefined) return found
  }
  return undefined
}

/**
 * The absolute path of a tool's program, which may be in `outside` only if the tool names it by its path.
 * Checked here because a sandbox reports a missing program as its own failure.
 */
export function requireProgram(
  command: string,
  env: Readonly<Record<string, string>>,
  outside?: string,
): string {
  const found = isAbsolute(command) ? command : findOnPath(command, searchPath(env, outside))
  if (found !== undefined && isExecutable(found)) return found
  if (!isAbsolute(command) && command.includes('/')) {
    throw new AppError('INTERPRETER_MISSING', `\`${command}\` is neither a name nor an absolute path`, {
      hint: `for a file of the project: \`{project_path}/${posix.normalize(command)}\``,
    })
  }
  const inside = findOnPath(command, env.PATH ?? '')
  if (inside !== undefined) {
    throw new AppError(
      'INTERPRETER_MISSING',
      `\`${command}\` was found only inside the project, so it was not used: \`${inside}\``,
      {
        hint: 'a signed item may name it by its path, `{project_path}/...`',
      },
    )
  }
  const problem = isAbsolute(command) ? 'is not an executable file' : "was not found on the tool's PATH"
  throw new AppError('INTERPRETER_MISSING', `\`${command}\` ${problem}`, {
    hint: 'install it, or name another program in the item or in its runtime',
  })
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
