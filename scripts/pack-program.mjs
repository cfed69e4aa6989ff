// A plugin of the build: joins the chunks of the program into one file, beside the licences of what it bundles.
// One file is read and compiled at start, from one code cache, and a chunk still runs only when it is asked for.
// The file is one expression, a function of `require` and `__filename` that returns the exports of the entry.
// Chunks that hold nothing but packages which most starts do without stay files of their own: neither they nor what
// an index run compiled of them is read then.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export function packProgram({ fileName, licences, apart }) {
  return {
    name: 'pack-program',
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter(output => output.type === 'chunk')
      for (const { fileName: name } of chunks) delete bundle[name]
      const isApart = chunk => chunk.moduleIds.every(id => apart.includes(packageOf(id)?.name))
      for (const chunk of chunks.filter(isApart)) {
        const source = `module.exports = function (exports, require) {${chunk.code}\n}\n`
        this.emitFile({ type: 'asset', fileName: chunk.fileName, source })
      }
      this.emitFile({ type: 'asset', fileName, source: pack(chunks.filter(chunk => !isApart(chunk))) })
      this.emitFile({ type: 'asset', fileName: licences, source: licencesOf(chunks) })
    },
  }
}

function pack(chunks) {
  const entry = chunks.find(chunk => chunk.isEntry)
  const methods = chunks.map(
    ({ fileName, code }) => `${JSON.stringify(`./${fileName}`)}(exports, require) {${code}\n}`,
  )
  const text = `(function (nodeRequire, __filename) {
const chunks = {
${methods.join(',\n')}
}
const loaded = new Map()
function load(name) {
if (!name.startsWith('./')) return nodeRequire(name)
let exports = loaded.get(name)
if (!exports) {
loaded.set(name, exports = {})
const run = chunks[name] ?? nodeRequire(name)
run(exports, load)
}
return exports
}
return load(${JSON.stringify(`./${entry.fileName}`)})
})
`
  return inAscii(text)
}

/** One byte for each character: a text of two bytes takes twice the memory, and longer to read. */
function inAscii(text) {
  if (/String\.raw`[^`]*[^\0-\x7f]/.test(text))
    throw new Error('a raw template may not be written in escapes')
  return text.replace(/[^\0-\x7f]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Packages that were bundled keep their licences beside their code. */
function licencesOf(chunks) {
  const folders = chunks
    .flatMap(chunk => chunk.moduleIds)
    .map(id => packageOf(id)?.folder)
    .filter(folder => folder !== undefined)
  return [...new Set(folders)].map(licenceOf).sort().join('\n')
}

/** The installed package that a module is of; ours is of none. */
function packageOf(id) {
  const [, folder, name] = /^\0?(.*\/node_modules\/((?:@[^/]+\/)?[^/]+))\//.exec(id) ?? []
  return folder === undefined ? undefined : { folder, name }
}

function licenceOf(folder) {
  const { name, license, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const file = readdirSync(folder).find(entry => /^licen[cs]e/i.test(entry))
  const text = file ? readFileSync(join(folder, file), 'utf8').trim() : ''
  return `${name} ${version} (${license})\n\n${text}\n`
}
