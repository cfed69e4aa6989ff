// Reads the settings about registries: the user's variables, and the `.npmrc` files where npm looks for them.
import { dirname, isAbsolute, join } from 'node:path'
import { AppError } from '../base/index.ts'
import { readFile } from '../files/index.ts'
import { realPath } from '../scan/index.ts'
import { lastOf, NO_SETTINGS, type NpmSettings, parseNpmrc, readNpmVariables } from './settings/npmrc.ts'

const SETTINGS_BYTES = 1_000_000

export interface NpmFiles {
  /** The user's settings, in npm's order of precedence. */
  readonly own: readonly NpmSettings[]
  readonly project: NpmSettings
  /** The content of the file named by `cafile`, or the value of `ca`. */
  readonly ca: string | undefined
}

export interface NpmPlaces {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly home: string
  readonly projectPath: string
  /** The path of Node, beside which npm's global settings lie. */
  readonly nodePath: string
}

export function readNpmFiles({ environment, home, projectPath, nodePath }: NpmPlaces): NpmFiles {
  const variables = readNpmVariables(environment)
  // The user's files may be links, for example into a repository of settings.
  const userFile = lastOf(variables, 'userconfig') ?? join(home, '.npmrc')
  const user = read(realPath(userFile), environment)
  const prefix = lastOf(variables, 'prefix') ?? lastOf(user, 'prefix') ?? dirname(dirname(nodePath))
  const globalFile =
    lastOf(variables, 'globalconfig') ?? lastOf(user, 'globalconfig') ?? join(prefix, 'etc/npmrc')
  const own = [variables, user, read(realPath(globalFile), environment)]
  const projectFile = join(projectPath, '.npmrc')
  // A project's file only names registries, and none of the user's variables is expanded in it.
  const project = projectFile === userFile ? NO_SETTINGS : onlyRegistries(read(projectFile, {}))
  return { own, project, ca: readCertificates(own, home) }
}

function onlyRegistries(settings: NpmSettings): NpmSettings {
  return new Map([...settings].filter(([key]) => key === 'registry' || /^@[^:]+:registry$/.test(key)))
}

function read(path: string, environment: NpmPlaces['environment']): NpmSettings {
  const text = isAbsolute(path)
    ? readFile(path, { maxBytes: SETTINGS_BYTES })?.bytes.toString('utf8')
    : undefined
  return text === undefined ? NO_SETTINGS : parseNpmrc(text, environment)
}

/** Throws `CONFIG_INVALID` when a named file is missing: other certificates would be trusted instead. */
function readCertificates(own: readonly NpmSettings[], home: string): string | undefined {
  for (const layer of own) {
    const texts = layer.get('ca')?.filter(text => text.includes('BEGIN CERTIFICATE'))
    if (texts && texts.length > 0) return texts.join('\n')
    const named = lastOf(layer, 'cafile')
    if (named === undefined) continue
    return readNamedFile(named, home, 'cafile')
  }
  return undefined
}

/** Reads a file that the user's `.npmrc` names: absolute, or from the home directory with `~/`. */
export function readNamedFile(named: string, home: string, key: string): string {
  const path = named.startsWith('~/') ? join(home, named.slice(2)) : named
  const found = isAbsolute(path) ? readFile(realPath(path), { maxBytes: SETTINGS_BYTES }) : undefined
  if (found) return found.bytes.toString('utf8')
  throw new AppError('CONFIG_INVALID', `\`${key}\` of .npmrc: there is no file \`${path}\``)
}
