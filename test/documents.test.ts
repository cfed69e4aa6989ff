// The documents name only paths and npm commands that exist: unchecked documents rot.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const root = new URL('../', import.meta.url)
const documents = [
  ...readdirSync(root).filter(name => name.endsWith('.md')),
  ...readdirSync(new URL('docs/', root), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.md'))
    .map(name => `docs/${name}`),
].sort()
const scripts = Object.keys(JSON.parse(readFileSync(new URL('package.json', root), 'utf8')).scripts)

/** Paths of this repository as documents write them: in backticks or as link targets. */
function pathsIn(text: string, document: string): string[] {
  const found: string[] = []
  for (const [, path] of text.matchAll(/`((?:src|test|docs|scripts|bench|system|\.ci)\/[\w./*{},-]*)`/g)) {
    if (!/[*{}]/.test(path!)) found.push(path!)
  }
  for (const [, link] of text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)) {
    found.push(new URL(link!, `file:///${document}`).pathname.slice(1))
  }
  return found
}

describe.each(documents)('%s', document => {
  const text = readFileSync(new URL(document, root), 'utf8')

  it('names only paths that exist', () => {
    expect(pathsIn(text, document).filter(path => !existsSync(new URL(path, root)))).toEqual([])
  })

  it('names only npm commands that exist', () => {
    const named = [...text.matchAll(/npm run ([\w:-]+)/g)].map(match => match[1]!)
    expect(named.filter(name => !scripts.includes(name))).toEqual([])
  })

  it('speaks of the product alone', () => {
    expect(text).not.toMatch(/\/(work|root|home\/\w+\/work)\//)
  })
})
