// How a client starts the server, here and on the machine of anyone who clones the project: through npm, or
// from the project's own packages. Never by a path of this machine, and never as a bare `rye`, which may have
// been on the PATH of a single `npx` call. Only settings that stay on this machine name the project by its
// path.
import { join } from 'node:path'
import { isRecord, VERSION } from '../../../base/index.ts'
import { readFile } from '../../../files/index.ts'
import type { Program } from '../../definition/action.ts'

export type ServerCommand = Required<Program>

const PACKAGE = 'ryekit'
const MANIFEST_BYTES = 4 * 1024 * 1024

/** The command for a client that starts it in the project. */
export function projectServer(projectPath: string, program: Program | undefined): ServerCommand {
  const { command, args = [] } =
    program ?? (isDependency(projectPath) ? installedProgram() : publishedProgram())
  return { command, args: [...args, 'mcp'] }
}

/** The command for a file outside the project: the client starts it anywhere, so it must name the project. */
export function userServer(projectPath: string, program: Program = publishedProgram()): ServerCommand {
  return { command: program.command, args: [...(program.args ?? []), 'mcp', '--project', projectPath] }
}

/**
 * The newest release of this major version: settings outlive many releases, and another major version may
 * differ. npm is started outside the project: inside, it would use the package, shell and registry that the
 * project's files name, whoever wrote those.
 */
function publishedProgram(): Program {
  const words = ['-y', `${PACKAGE}@${VERSION.split('.', 1)[0]}`]
  if (process.platform === 'win32') return { command: 'npx', args: words }
  return { command: '/bin/sh', args: ['-c', `cd / && exec npx ${words.join(' ')} -C "$OLDPWD" "$@"`, 'rye'] }
}

function installedProgram(): Program {
  return { command: 'node', args: [`node_modules/${PACKAGE}/dist/rye.cjs`] }
}

/** Whether the project has the package as a dependency, and so among its own packages. */
export function isDependency(projectPath: string): boolean {
  const manifest = readManifest(projectPath)
  return ['dependencies', 'devDependencies', 'optionalDependencies'].some(kind => {
    const packages = manifest[kind]
    return isRecord(packages) && Object.hasOwn(packages, PACKAGE)
  })
}

function readManifest(projectPath: string): Record<string, unknown> {
  const file = readFile(join(projectPath, 'package.json'), { maxBytes: MANIFEST_BYTES })
  try {
    const value: unknown = JSON.parse(file?.bytes.toString('utf8') ?? '{}')
    return isRecord(value) ? value : {}
  } catch {
    // Not JSON; npm would reject it too.
    return {}
  }
}
