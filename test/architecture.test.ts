// The order of the layers, re-derived from the source: imports go one way, through index.ts, and the core has no effects.
import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { describe, expect, it } from 'vitest'

const CORE = ['base', 'item', 'parse', 'extract', 'query', 'trust', 'skill', 'search', 'space', 'chain']
const SHELL = ['store', 'scan', 'execute', 'workspace', 'actions', 'surfaces', 'program']
const LAYERS = [...CORE, ...SHELL]
const SURFACES = ['cli', 'mcp']
const EFFECT =
  /['"]node:(fs|fs\/promises|child_process|net|http|https|dns|worker_threads|os)['"]|\bprocess\.(env|argv|cwd|exit|std\w+)|\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b/
/** The only files that may write to the disk or start a process, whatever layer they stand in. */
const WRITERS = ['store/atomic-write.ts']
const STARTERS = ['execute/spawn.ts', 'scan/glance.ts']

const source = new URL('../src/', import.meta.url)
const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .map(file => file.replaceAll('\\', '/'))
  .filter(file => file.endsWith('.ts'))
  .sort()

function read(file: string): string {
  return readFileSync(new URL(file, source), 'utf8')
}

/** Comments may speak of anything; only code is judged. */
function withoutComments(text: string): string {
  return text.replace(/^\s*\/\/.*$/gm, '').replace(/\/\*[\s\S]*?\*\//g, '')
}

function problemsIn(file: string, text: string): string[] {
  const folder = file.split('/')[0]!
  if (!file.includes('/')) return []
  if (!LAYERS.includes(folder)) return [`${file}: ${folder}/ is not in the list of layers`]
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
      continue
    }
    if (LAYERS.indexOf(other) > LAYERS.indexOf(folder)) found.push(`${file}: imports upward from ${target}`)
    if (!isDoor(target)) found.push(`${file}: reaches past ${other}/index.ts to ${target}`)
  }
  const effect = EFFECT.exec(text)
  if (CORE.includes(folder) && effect) found.push(`${file}: effect in the core: ${effect[0]}`)
  if (
    !WRITERS.includes(file) &&
    /\b(writeFile|writeFileSync|createWriteStream|appendFile|appendFileSync)\(/.test(text)
  ) {
    found.push(`${file}: writes a file past ${WRITERS[0]}`)
  }
  if (!STARTERS.includes(file) && /['"]node:child_process['"]/.test(text)) {
    found.push(`${file}: starts processes past ${STARTERS[0]}`)
  }
  // The build leaves out a file of ours of which nothing is used.
  if (/^import\s*['"]/m.test(text)) found.push(`${file}: imports for an effect`)
  if (/\bexport \*/.test(text)) found.push(`${file}: exports without naming`)
  return found
}

/** A folder's index.ts, or that of a subfolder which is a module of its own. */
function isDoor(target: string): boolean {
  return /^(?:[^/]+\/)+index\.ts$/.test(target)
}

/** What each file needs before it can be read: what it imports at once, not what it loads later. */
function importsOf(names: readonly string[], textOf: (file: string) => string): Map<string, string[]> {
  return new Map(
    names.map(file => {
      const specifiers = withoutComments(textOf(file)).matchAll(/\bfrom\s*'(\.[^']+)'/g)
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
  })

  it('has no circle of imports, of types or of values', () => {
    expect(circlesIn(importsOf(files, read))).toEqual([])
  })

  it('names a circle', () => {
    const texts: Record<string, string> = {
      'a/x.ts': `import type { Y } from './y.ts'`,
      'a/y.ts': `export { z } from './z.ts'`,
      'a/z.ts': `import { x } from './x.ts'`,
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
      .filter(line => Number(/(\d+) lines/.exec(line)![1]) > 30)
    expect(wide).toEqual([])
  })

  it('gives a reason in the header of each file past 400 lines', () => {
    const long = files.filter(
      file => read(file).split('\n').length > 400 && !/long because/i.test(read(file).slice(0, 800)),
    )
    expect(long).toEqual([])
  })
})
