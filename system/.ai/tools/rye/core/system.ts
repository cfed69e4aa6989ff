// Facts about the machine, the time and the places that items are kept in.
import { accessSync, constants, statSync } from 'node:fs'
import { cpus, homedir, machine, release, tmpdir, type } from 'node:os'
import { delimiter, join } from 'node:path'

export const __version__ = '1.1.0'
export const __tool_type__ = 'javascript'
export const __executor_id__ = 'rye/core/runtimes/node/node'
export const __category__ = 'rye/core'
export const __tool_description__ =
  'System information: operating system, programs, current date and time, paths of the project'

export const tags = [
  'system',
  'info',
  'time',
  'date',
  'now',
  'clock',
  'paths',
  'platform',
  'environment',
  'version',
]

export const CONFIG = { timeout: 60, permissions: { network: false } }

export const CONFIG_SCHEMA = {
  type: 'object',
  properties: {
    what: {
      type: 'string',
      enum: ['all', 'info', 'time', 'paths'],
      default: 'all',
      description: 'Which facts to answer with',
    },
  },
  additionalProperties: false,
}

const PROGRAMS = ['bash', 'git', 'node', 'npm', 'python3', 'docker', 'curl']
const FOLDERS = ['directives', 'tools', 'knowledge', 'skills', 'config']
const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

interface Parameters {
  readonly what?: 'all' | 'info' | 'time' | 'paths'
}

/** Answers with one object per kind of fact. */
export function execute({ what = 'all' }: Parameters, projectPath: string): object {
  const makers = { info: readInfo, time: () => readTime(new Date()), paths: () => readPaths(projectPath) }
  const wanted = Object.entries(makers).filter(([name]) => what === 'all' || name === what)
  return { success: true, ...Object.fromEntries(wanted.map(([name, make]) => [name, make()])) }
}

/** The machine, and which common programs a tool can start. */
function readInfo(): object {
  const found = PROGRAMS.map(name => [name, findProgram(name)] as const)
  return {
    system: type(),
    release: release(),
    machine: machine(),
    cpus: cpus().length,
    node: process.versions.node,
    programs: Object.fromEntries(found.filter(([, path]) => path !== undefined)),
  }
}

function findProgram(name: string): string | undefined {
  const places = (process.env.PATH ?? '').split(delimiter).filter(place => place !== '')
  return places.map(place => join(place, name)).find(isProgram)
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/** This moment, in the zone of the machine and in UTC. */
function readTime(moment: Date): object {
  const ahead = -moment.getTimezoneOffset()
  const clock = new Date(moment.getTime() + 60_000 * ahead).toISOString().slice(0, 19)
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
  const offset = `${ahead < 0 ? '-' : '+'}${two(Math.abs(ahead) / 60)}:${two(Math.abs(ahead) % 60)}`
  return {
    utc: `${moment.toISOString().slice(0, 19)}Z`,
    local: `${clock}${offset}`,
    zone: zoneOf(moment),
    weekday: WEEKDAYS[moment.getDay()],
    unix: Math.floor(moment.getTime() / 1000),
  }
}

/** By its name, as a date prints it: `Intl`, which knows the city, takes longer to start than everything else here. */
function zoneOf(moment: Date): string {
  const name = /\((.+)\)$/.exec(moment.toString())?.[1] ?? ''
  return name === 'Coordinated Universal Time' ? 'UTC' : name
}

/** The project, which type folders its `.ai` has, and places outside that tools often need. */
function readPaths(projectPath: string): object {
  const items = join(projectPath, '.ai')
  return {
    project: projectPath,
    items,
    type_folders: FOLDERS.filter(name =>
      statSync(join(items, name), { throwIfNoEntry: false })?.isDirectory(),
    ),
    home: homedir(),
    temporary: tmpdir(),
    node: process.execPath,
  }
}
