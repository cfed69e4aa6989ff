// Derives the layer order from the source: imports go one way, through index.ts, and the core has no effects.
import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { describe, expect, it } from 'vitest'

/** Imports go one way: a folder may use those above it in this list. */
const LAYERS = [
  ...['base', 'item', 'parse', 'extract', 'query', 'trust', 'space', 'plan'],
  ...['files', 'user', 'scan', 'search', 'lance', 'skills', 'catalogue', 'execute', 'registry', 'sources'],
  ...['workspace', 'actions', 'surfaces', 'program'],
]
/**
 * The functional core: values in, values out. For folders with both pure and other rooms, the pure rooms are
 * listed.
 */
const PURE = [
  ...['base', 'item', 'parse', 'extract', 'query', 'trust', 'space', 'plan'],
  ...['search/text', 'search/match', 'search/rank', 'search/answer'],
  ...['skills/read', 'skills/serve', 'skills/validate', 'skills/call'],
  ...['registry/settings', 'registry/archive', 'registry/bundle'],
  ...['sources/address', 'sources/find', 'sources/review', 'sources/lock'],
]
/** The order of a folder's rooms, where it has one: a room may use the rooms before it. */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  search: ['text', 'match', 'rank', 'answer', 'meaning', 'memory', 'sqlite', 'evaluate'],
  skills: ['read', 'serve', 'validate', 'call', 'folders', 'table'],
  execute: ['process', 'network', 'sandbox', 'workers', 'primitives'],
  registry: ['settings', 'archive', 'bundle', 'protocol'],
  sources: ['address', 'find', 'review', 'lock', 'fetch'],
  actions: [
    'definition',
    'registry',
    'servers',
    'sources',
    'items',
    'library',
    'skills',
    'catalogue',
    'setup',
  ],
}
const SURFACES = ['cli', 'mcp', 'ui']
/** Only these may ask the process how it was started; a program that embeds the library says it instead. */
const ASK_THE_PROCESS = ['surfaces', 'program']
const PROCESS_STATE = /\bprocess\.(argv|cwd|chdir|env|exit|std(?:in|out|err))\b/
/**
 * `resolve` starts from the current directory, so only paths that are already absolute may be passed to it.
 */
const RESOLVERS: Readonly<Record<string, string>> = {
  'actions/definition/resolve-path.ts': 'the one place where a path that a caller names becomes absolute',
  'scan/item-roots.ts': 'joins a root with names below it',
  'skills/folders/walk-directory.ts': 'a directory that an action has made absolute',
  'catalogue/table/items-table.ts': 'a directory that an action has made absolute',
  'skills/table/lance/skill-table.ts': 'a directory that an action has made absolute',
  'workspace/places.ts': '`USER_SPACE` of a command; the library for programs has made it absolute',
}
const IMPORTS_RESOLVE = /import \{[^}]*\bresolve\b[^}]*\} from 'node:path'/
const EFFECT =
  /['"]node:(fs|fs\/promises|child_process|net|http|https|dns|worker_threads|os)['"]|\bprocess\.(env|argv|cwd|exit|std\w+)|\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b/
/** Anything that puts bytes into a file or a name into a folder: by path, descriptor, handle or stream. */
const WRITES =
  /\b(?:f?writeSync|writev(?:Sync)?|writeFile(?:Sync)?|appendFile(?:Sync)?|createWriteStream|f?truncate(?:Sync)?|copyFile(?:Sync)?|cpSync|linkSync|symlinkSync|renameSync)\(/
const CHANGES_FOLDERS = /\b(?:mkdir|mkdtemp|rm|rmdir|unlink|f?chmod|f?utimes)Sync\(/
/** Files outside `files/` that write, each with what it writes. */
const WRITERS: Readonly<Record<string, string>> = {
  'user/receipts.ts': 'one line at the end of the log of runs',
  'execute/sandbox/guarded-file.ts': 'small files to mount over, gone with the sandbox',
  'execute/sandbox/package-caches.ts': 'a link in a new folder for a cache',
  'search/sqlite/place-prebuilt.ts': 'the index that came with the program, where none is yet',
}
/** Files outside `files/` that make or remove folders and files of their own. */
const KEEPERS: Readonly<Record<string, string>> = {
  'search/sqlite/database.ts': 'the index: its folder, and a damaged one thrown away',
  'search/sqlite/place-prebuilt.ts': 'the copy that it makes an index of',
  'workspace/index-location.ts': 'the folder of the index in the cache',
  'workspace/shared/object-cache.ts': 'the cache of items of a catalogue',
  'user/project-state.ts': 'the roots of the state, and a temporary one where none can be written',
  'execute/process/write-private-copy.ts': 'private copies in the cache',
  'execute/sandbox/mount-point.ts': 'empty folders to mount over',
  'execute/sandbox/guarded-file.ts': 'small files to mount over',
  'execute/sandbox/package-caches.ts': 'caches of package managers',
  'execute/sandbox/describe-sandbox.ts': 'the folder of a sandbox',
  'scan/find-roots.ts': 'a nameless temporary file',
  'sources/fetch/fetch-git.ts': 'a copy of a repository that was left unusable',
  'surfaces/cli/tour/run-tour.ts': 'the project of the tour',
  'program/packed-binary.ts': 'a temporary folder of its own',
}
const STARTERS = [
  ...['execute/process/spawn.ts', 'scan/find-roots.ts'],
  ...['sources/fetch/run-git.ts', 'surfaces/cli/run-program.ts', 'surfaces/ui/open-browser.ts'],
]

const source = new URL('../src/', import.meta.url)
const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .map(file => file.replaceAll('\\', '/'))
  .filter(file => file.endsWith('.ts'))
  .sort()

function read(file: string): string {
  return readFileSync(new URL(file, source), 'utf8')
}

/** Comments may mention anything; only code is judged. */
function withoutComments(text: string): string {
  return text.replace(/^\s*\/\/.*$/gm, '').replace(/\/\*[\s\S]*?\*\//g, '')
}

function problemsIn(file: string, text: string): string[] {
  const folder = file.split('/')[0]!
  if (!file.includes('/')) return []
  if (!LAYERS.includes(folder)) return [`${file}: ${folder}/ is not in the list of layers`]
  const found = importProblems(file, text)
  const effect = EFFECT.exec(text)
  if (isPure(file) && effect) found.push(`${file}: effect in the core: ${effect[0]}`)
  if (folder !== 'files') {
    if (WRITES.test(text) && !WRITERS[file]) found.push(`${file}: writes a file past files/`)
    if (CHANGES_FOLDERS.test(text) && !KEEPERS[file]) found.push(`${file}: changes folders past files/`)
  }
  if (!STARTERS.includes(file) && /['"]node:child_process['"]/.test(text)) {
    found.push(`${file}: starts processes past ${STARTERS[0]}`)
  }
  if (!ASK_THE_PROCESS.includes(folder)) {
    const asked = PROCESS_STATE.exec(text)
    if (asked) found.push(`${file}: asks the process: ${asked[0]}`)
    if (IMPORTS_RESOLVE.test(text) && !RESOLVERS[file]) found.push(`${file}: resolves paths by itself`)
  }
  // The build drops one of our files when nothing from it is used.
  if (/^import\s*['"]/m.test(text)) found.push(`${file}: imports for an effect`)
  if (/\bexport \*/.test(text)) found.push(`${file}: exports without naming`)
  return found
}

function importProblems(file: string, text: string): string[] {
  const folder = file.split('/')[0]!
  const found: string[] = []
  for (const [, specifier] of text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)) {
    const target = posix.join(posix.dirname(file), specifier!)
    const other = target.split('/')[0]!
    if (!target.endsWith('.ts') && !/\.(mjs|py|json)(\?.*)?$/.test(target))
      found.push(`${file}: ${specifier} has no ending`)
    if (other === folder) {
      if (folder === 'surfaces' && surfaceOf(file) !== surfaceOf(target)) {
        found.push(`${file}: reaches into another surface, ${target}`)
      }
      if (roomOrder(file) < roomOrder(target)) found.push(`${file}: imports upward from ${target}`)
    } else {
      if (LAYERS.indexOf(other) > LAYERS.indexOf(folder)) found.push(`${file}: imports upward from ${target}`)
      if (!isDoor(target)) found.push(`${file}: reaches past ${other}/index.ts to ${target}`)
    }
    if (isPure(file) && !isPure(target)) found.push(`${file}: pure, yet uses ${target}`)
  }
  return found
}

function isPure(file: string): boolean {
  return PURE.some(room => file.startsWith(`${room}/`))
}

/** The position of a file's room in its folder. Files outside any room join the rooms, and come last. */
function roomOrder(file: string): number {
  const [folder, room] = file.split('/')
  const rooms = ROOMS[folder!]
  if (!rooms) return 0
  return rooms.includes(room!) ? rooms.indexOf(room!) : rooms.length
}

/** Whether this is the index.ts of a folder, or of a subfolder that is a module of its own. */
function isDoor(target: string): boolean {
  return /^(?:[^/]+\/)+index\.ts$/.test(target)
}

/** What each file imports, statically or lazily. */
function importsOf(names: readonly string[], textOf: (file: string) => string): Map<string, string[]> {
  return new Map(
    names.map(file => {
      const specifiers = withoutComments(textOf(file)).matchAll(/\b(?:from|import)\s*\(?\s*'(\.[^']+)'/g)
      return [file, Array.from(specifiers, ([, found]) => posix.join(posix.dirname(file), found!))]
    }),
  )
}

function circlesIn(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const circles: string[] = []
  const done = new Set<string>()
  const visit = (file: string, trail: readonly string[]): void => {
    if (trail.includes(file)) circles.push([...trail.slice(trail.indexOf(file)), file].join(' -> '))
    if (trail.includes(file) || done.has(file)) return
    for (const target of imports.get(file) ?? []) visit(target, [...trail, file])
    done.add(file)
  }
  for (const file of imports.keys()) visit(file, [])
  return circles
}

function surfaceOf(file: string): string | undefined {
  return SURFACES.find(surface => file.startsWith(`surfaces/${surface}/`))
}

describe('the layers of src', () => {
  it('holds files to judge', () => {
    expect(files.length).toBeGreaterThan(20)
  })

  it.each(files)('%s keeps the order', file => {
    expect(problemsIn(file, withoutComments(read(file)))).toEqual([])
  })

  it('names a breach', () => {
    expect(problemsIn('item/x.ts', `import { a } from '../trust/verify.ts'`)).toEqual([
      'item/x.ts: imports upward from trust/verify.ts',
      'item/x.ts: reaches past trust/index.ts to trust/verify.ts',
    ])
    expect(problemsIn('query/x.ts', `import { readFileSync } from 'node:fs'`)).toHaveLength(1)
    expect(problemsIn('scan/x.ts', `import { spawn } from 'node:child_process'`)).toHaveLength(1)
    expect(problemsIn('scan/x.ts', `import './walk.ts'`)).toEqual(['scan/x.ts: imports for an effect'])
    expect(problemsIn('search/match/x.ts', `import { a } from '../sqlite/database.ts'`)).toEqual([
      'search/match/x.ts: imports upward from search/sqlite/database.ts',
      'search/match/x.ts: pure, yet uses search/sqlite/database.ts',
    ])
  })

  it.each([
    'writeSync(descriptor, bytes)',
    'await handle.writeFile(text)',
    "createWriteStream('x')",
    'ftruncateSync(descriptor, 0)',
    'renameSync(a, b)',
    'await handle.appendFile(text)',
  ])('sees a write in %s', code => {
    expect(problemsIn('scan/x.ts', code)).toEqual(['scan/x.ts: writes a file past files/'])
    expect(problemsIn('files/x.ts', code)).toEqual([])
  })

  it.each([
    ['process.argv[1]', 'workspace/x.ts: asks the process: process.argv'],
    ['const here = process.cwd()', 'workspace/x.ts: asks the process: process.cwd'],
    ["process.env.X ??= 'y'", 'workspace/x.ts: asks the process: process.env'],
    ["import { join, resolve } from 'node:path'", 'workspace/x.ts: resolves paths by itself'],
  ])('sees that %s asks the process', (code, problem) => {
    expect(problemsIn('workspace/x.ts', code)).toEqual([problem])
    expect(problemsIn('surfaces/cli/x.ts', code)).toEqual([])
    expect(problemsIn('program/x.ts', code)).toEqual([])
  })

  it('names no writer that does not write, and no resolver that does not resolve', () => {
    const idle = (names: Readonly<Record<string, string>>, pattern: RegExp) =>
      Object.keys(names).filter(file => !pattern.test(withoutComments(read(file))))
    expect([
      ...idle(WRITERS, WRITES),
      ...idle(KEEPERS, CHANGES_FOLDERS),
      ...idle(RESOLVERS, IMPORTS_RESOLVE),
    ]).toEqual([])
  })

  it('has no circle of imports, of types or of values, now or when first needed', () => {
    expect(circlesIn(importsOf(files, read))).toEqual([])
  })

  it('names a circle', () => {
    const texts: Record<string, string> = {
      'a/x.ts': `import type { Y } from './y.ts'`,
      'a/y.ts': `export { z } from './z.ts'`,
      'a/z.ts': `const { x } = await import('./x.ts')`,
      'a/w.ts': `import { x } from './x.ts'`,
    }
    expect(circlesIn(importsOf(Object.keys(texts), file => texts[file]!))).toEqual([
      'a/x.ts -> a/y.ts -> a/z.ts -> a/x.ts',
    ])
  })

  it('keeps every door narrow', () => {
    const wide = files
      .filter(file => /^[^/]+\/index\.ts$/.test(file))
      .map(file => `${file}: ${read(file).split('\n').length - 1} lines`)
      .filter(line => Number(/(\d+) lines/.exec(line)![1]) > 40)
    expect(wide).toEqual([])
  })

  it('keeps every door free of logic', () => {
    const beyondExports = (file: string) =>
      withoutComments(read(file))
        .replaceAll(/^export (?:type )?\{[^}]*\} from '[^']+'$/gm, '')
        .trim()
    const doors = files.filter(file => posix.basename(file) === 'index.ts')
    expect(doors.length).toBeGreaterThan(10)
    expect(doors.filter(door => beyondExports(door) !== '')).toEqual([])
  })

  it('has no file past 300 lines, nor have the page, the bundled tools, the benches and the scripts', () => {
    const folders = ['src', 'page', 'system', 'bench', 'scripts'].map(
      name => new URL(`../${name}/`, import.meta.url),
    )
    const long = folders.flatMap(folder =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter(file => /\.(?:tsx?|m[jt]s|css)$/.test(file))
        .filter(file => readFileSync(new URL(file, folder), 'utf8').split('\n').length > 301),
    )
    expect(long).toEqual([])
  })
})
