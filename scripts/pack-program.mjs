// A build plugin that joins the program's chunks into two files and collects the licences of what they
// bundle. Each file is read and compiled at once, from one code cache; a chunk still runs only when it is
// required. The first file has what every start and the most used commands load. The second has the rest, and
// is neither read nor compiled until one of its chunks is required. `program.cjs` is one expression: a
// function that returns the entry's exports. The second file is a function that returns chunks by name.
// Chunks made only of packages that most starts do not need stay separate files, so that neither they nor the
// code cached for them by an index run is read.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * `first` lists modules and packages that go into the first file, with everything they import, beside the
 * entry.
 */
export function packProgram({ fileName, restName, licences, apart, first }) {
  return {
    name: 'pack-program',
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter(output => output.type === 'chunk')
      for (const { fileName: name } of chunks) delete bundle[name]
      const isApart = chunk =>
        chunk.moduleIds.length > 0 && chunk.moduleIds.every(id => apart.includes(packageOf(id)?.name))
      for (const chunk of chunks.filter(isApart)) {
        const source = `module.exports = function (exports, require) {${chunk.code}\n}\n`
        this.emitFile({ type: 'asset', fileName: chunk.fileName, source })
      }
      const packed = chunks.filter(chunk => !isApart(chunk))
      const together = importedBy(rootsOf(packed, first), packed)
      const rest = packed.filter(chunk => !together.has(chunk))
      this.emitFile({ type: 'asset', fileName, source: packFirst([...together]) })
      this.emitFile({ type: 'asset', fileName: restName, source: packRest(rest) })
      this.emitFile({ type: 'asset', fileName: licences, source: licencesOf(chunks) })
    },
  }
}

/** The entry chunk, and the given lazily imported modules (by path) and packages (by name). */
function rootsOf(chunks, names) {
  const late = chunks.filter(chunk => chunk.facadeModuleId !== null)
  const found = names.map(name =>
    late.find(({ facadeModuleId: id }) => id === name || packageOf(id)?.name === name),
  )
  const missing = names.filter((_, at) => !found[at])
  if (missing.length > 0)
    throw new Error(`expected modules that are imported late, got ${missing.join(', ')}`)
  return [chunks.find(chunk => chunk.isEntry), ...found]
}

/** The roots and every chunk that they import statically. */
function importedBy(roots, chunks) {
  const found = new Set(roots)
  // Iterating a set also visits entries added meanwhile.
  for (const { imports } of found)
    for (const chunk of chunks) if (imports.includes(chunk.fileName)) found.add(chunk)
  return found
}

function packFirst(chunks) {
  const entry = chunks.find(chunk => chunk.isEntry)
  return inAscii(`(function (nodeRequire, rest, __filename) {
const chunks = ${tableOf(chunks)}
const loaded = new Map()
function load(name) {
if (!name.startsWith('./')) return nodeRequire(name)
let exports = loaded.get(name)
if (!exports) {
loaded.set(name, exports = {})
const run = chunks[name] ?? rest()[name] ?? nodeRequire(name)
run(exports, load)
}
return exports
}
return load(${JSON.stringify(`./${entry.fileName}`)})
})
`)
}

function packRest(chunks) {
  return inAscii(`(function (__filename) {
return ${tableOf(chunks)}
})
`)
}

function tableOf(chunks) {
  const methods = chunks.map(
    ({ fileName, code }) => `${JSON.stringify(`./${fileName}`)}(exports, require) {${code}\n}`,
  )
  return `{\n${methods.join(',\n')}\n}`
}

/** Keeps the text to one byte per character: a two-byte string takes twice the memory and longer to read. */
function inAscii(text) {
  if (/String\.raw`[^`]*[^\0-\x7f]/.test(text))
    throw new Error('a raw template may not be written in escapes')
  return text.replace(/[^\0-\x7f]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** The licence texts of the bundled packages. */
function licencesOf(chunks) {
  const folders = chunks
    .flatMap(chunk => chunk.moduleIds)
    .map(id => packageOf(id)?.folder)
    .filter(folder => folder !== undefined)
  return [...new Set(folders)].map(licenceOf).sort().join('\n')
}

/** The installed package that a module belongs to; undefined for our own modules. */
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
