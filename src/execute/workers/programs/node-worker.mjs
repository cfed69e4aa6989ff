// The worker that calls JavaScript functions. It reads requests as JSON lines from descriptor 3 and writes
// answers to descriptor 4; the tool's standard streams are not part of the protocol. A tool and its siblings
// are compiled from verified bytes, in new modules for each call; packages are resolved from the place where
// the author put the tool, if they may be used. If a call leaves anything behind, this is reported, and the
// worker is not used again.
import { readFileSync, writeSync } from 'node:fs'
import { createRequire, isBuiltin } from 'node:module'
import { Socket } from 'node:net'
import { dirname, extname, relative, sep } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import vm from 'node:vm'
import { watchLeftovers } from './node-leftovers.mjs'
import { checkSource, guardRequire, naming, Packages, passToThreads, Refusal } from './node-packages.cjs'

const sources = new Map()
const builtins = new Map()
const code = new Map()
const MOST_CODE = 100
const environment = { ...process.env }
const home = process.cwd()
const hasLeftovers = watchLeftovers()
/** Accessors replace themselves with their value when they are first read, so only values are compared. */
const globals = Object.getOwnPropertyDescriptors(globalThis)

/** The package rules of the current call. */
let packages
guardRequire(() => packages)

process.on('unhandledRejection', () => {})

async function handle(request) {
  let answer
  try {
    const text = encode(await call(request))
    const { length } = text
    const excess = `the result has ${length} characters, expected at most ${request.limit}`
    if (length > request.limit) answer = failure('too-large', excess)
    else answer = { ok: true, text }
  } catch (fault) {
    answer = failure(fault instanceof Refusal ? 'refused' : 'raised', describe(fault), fault?.stack)
  }
  // A new thread is announced in the next turn, and what ended in this one is gone from the lists after that.
  await turn()
  await turn()
  const dirty = restore()
  if (answer.ok) return `{"id":"${request.id}","ok":true,"dirty":${dirty},"result":${answer.text}}`
  return JSON.stringify({ id: request.id, ok: false, dirty, error: answer.error })
}

async function call(request) {
  if (request.source !== undefined) {
    sources.set(request.digest, {
      text: Buffer.from(request.source, 'base64').toString('utf8'),
      format: request.format,
    })
  }
  const source = sources.get(request.digest)
  if (!source) throw new Refusal(`unreachable: the source of ${request.digest} was never sent`)
  packages = new Packages(request.packages)
  passToThreads(request.packages)
  process.chdir(request.cwd)
  const root = request.siblings ? dirname(request.filename) + sep : null
  const exported = await load(request, source, root)
  const found = exported[request.function] ?? exported.default?.[request.function]
  if (typeof found !== 'function')
    throw new Refusal(`expected a function \`${request.function}\`, found none`)
  return request.call === 'keywords' ? found(request.params) : found(request.params, request.project_path)
}

async function load({ filename }, source, root) {
  const loader = new Loader(root, packages)
  if (source.format === 'commonjs') return loader.runCommonJs(filename, source.text)
  const module = loader.compile(filename, source.text)
  await module.link((specifier, from) => loader.resolve(specifier, from.identifier))
  await module.evaluate()
  return module.namespace
}

/** The modules of one call. Files below `root` are verified copies; Node loads everything else. */
class Loader {
  #modules = new Map()
  #root
  #packages

  constructor(root, packages) {
    this.#root = root
    this.#packages = packages
  }

  compile(filename, text) {
    const url = pathToFileURL(filename).href
    const cachedData = code.get(text)
    const module = new vm.SourceTextModule(text, {
      identifier: url,
      ...(cachedData && { cachedData }),
      initializeImportMeta(meta) {
        meta.url = url
        meta.filename = filename
        meta.dirname = dirname(filename)
      },
      importModuleDynamically: async specifier => {
        const imported = await this.resolve(specifier, url)
        if (imported.status === 'unlinked')
          await imported.link((inner, from) => this.resolve(inner, from.identifier))
        if (imported.status === 'linked') await imported.evaluate()
        return imported
      },
    })
    if (!cachedData) keepCode(text, module.createCachedData())
    this.#modules.set(url, module)
    return module
  }

  async resolve(specifier, parent) {
    if (isBuiltin(specifier)) return loadBuiltin(specifier)
    const url = this.#urlOf(specifier, parent)
    const known = this.#modules.get(url)
    if (known) return known
    const filename = url.startsWith('file:') ? fileURLToPath(url) : null
    const isSibling = filename !== null && this.#isBelowRoot(filename)
    if (isSibling && /\.(?:m?[jt]s)$/.test(extname(filename))) {
      const text = checkSource(orNotSibling(specifier, () => readFileSync(filename, 'utf8')))
      return naming(relative(this.#root, filename), () => this.compile(filename, text))
    }
    if (isOwn(specifier) && !isSibling) throw notSibling(specifier)
    const module = wrap(await import(url), url)
    this.#modules.set(url, module)
    return module
  }

  /** A path means exactly one file. Node resolves everything else. */
  #urlOf(specifier, parent) {
    if (/^(?:\.{0,2}\/|file:)/.test(specifier)) return new URL(specifier, parent).href
    if (isOwn(specifier)) return import.meta.resolve(specifier, parent)
    const url = import.meta.resolve(specifier, this.#packages.anchorUrl)
    this.#packages.checkFar(specifier, url)
    return url
  }

  runCommonJs(filename, text) {
    const module = { exports: {} }
    const run = vm.compileFunction(text, ['exports', 'require', 'module', '__filename', '__dirname'], {
      filename,
    })
    const near = createRequire(filename)
    const far = createRequire(this.#packages.anchorUrl)
    const require = specifier => {
      if (!isOwn(specifier)) {
        if (isBuiltin(specifier)) return far(specifier)
        const found = far.resolve(specifier)
        this.#packages.checkFar(specifier, pathToFileURL(found).href)
        return far(found)
      }
      const resolved = orNotSibling(specifier, () => near.resolve(specifier))
      if (!this.#isBelowRoot(resolved)) throw notSibling(specifier)
      return near(resolved)
    }
    run.call(module.exports, module.exports, require, module, filename, dirname(filename))
    return module.exports
  }

  #isBelowRoot(filename) {
    return this.#root !== null && filename.startsWith(this.#root)
  }
}

/** Keeps what the engine compiled from a text, by the whole text. Each call makes a new module from it. */
function keepCode(text, data) {
  code.set(text, data)
  if (code.size > MOST_CODE) code.delete(code.keys().next().value)
}

/** Wraps what Node has loaded in a module that ours can import. */
function wrap(namespace, identifier) {
  const names = Object.keys(namespace)
  return new vm.SyntheticModule(
    names,
    function () {
      for (const name of names) this.setExport(name, namespace[name])
    },
    { identifier },
  )
}

/** The modules of Node itself are the same for every call. */
async function loadBuiltin(specifier) {
  const url = specifier.startsWith('node:') ? specifier : `node:${specifier}`
  const known = builtins.get(url)
  if (known) return known
  const module = wrap(await import(url), url)
  await module.link(() => {})
  await module.evaluate()
  builtins.set(url, module)
  return module
}

/** Whether it names a file of the tool, or an `imports` entry, not a package: both must be verified. */
function isOwn(specifier) {
  return /^(?:[./#]|file:)/.test(specifier)
}

/** A file that does not verify was not copied, so it is not found. */
function orNotSibling(specifier, find) {
  try {
    return find()
  } catch (thrown) {
    if (thrown?.code === 'ENOENT' || thrown?.code === 'MODULE_NOT_FOUND') throw notSibling(specifier)
    throw thrown
  }
}

function notSibling(specifier) {
  return new Refusal(
    `\`${specifier}\` is not a verified sibling of the tool: either it does not exist, or \`rye verify\` on that file says what is wrong`,
  )
}

/** Restores the process. Returns whether something of the tool is still alive, or changed for good. */
function restore() {
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name]
  Object.assign(process.env, environment)
  const now = Object.getOwnPropertyDescriptors(globalThis)
  for (const name of Object.keys(now)) if (!Object.hasOwn(globals, name)) delete globalThis[name]
  const isChanged = Object.keys(globals).some(
    name => 'value' in globals[name] && !Object.is(globals[name].value, now[name]?.value),
  )
  try {
    process.chdir(home)
  } catch {
    return true
  }
  return isChanged || hasLeftovers()
}

function encode(value) {
  const text = JSON.stringify(value, (_, entry) => (typeof entry === 'bigint' ? entry.toString() : entry))
  return text ?? 'null'
}

function failure(kind, message, stack) {
  return {
    ok: false,
    error: {
      kind,
      message,
      ...(stack && kind === 'raised' ? { traceback: String(stack).slice(0, 20_000) } : {}),
    },
  }
}

function describe(fault) {
  if (fault instanceof Refusal) return fault.message
  return fault instanceof Error ? `${fault.name}: ${fault.message}` : String(fault)
}

function send(text) {
  const bytes = Buffer.from(`${text}\n`)
  for (let sent = 0; sent < bytes.length; ) {
    try {
      sent += writeSync(4, bytes, sent)
    } catch (fault) {
      if (fault.code !== 'EAGAIN') throw fault
    }
  }
}

/** Lines end at LF only. Node's own reader also ends them at U+2028, which JSON text may contain. */
function onLines(input, onLine) {
  let parts = []
  input.on('data', chunk => {
    let start = 0
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      const line = Buffer.concat([...parts, chunk.subarray(start, end)]).toString('utf8')
      parts = []
      start = end + 1
      onLine(line)
    }
    parts.push(chunk.subarray(start))
  })
}

/** The server is gone, so nobody else ends what the tool started in our group. */
function endWithServer() {
  try {
    process.kill(-process.pid, 'SIGKILL')
  } catch {
    // In a sandbox we lead no group; the sandbox ends when we do.
    process.exit()
  }
}

// At the end, because the first call needs the classes above. The server sends one call at a time.
const requests = new Socket({ fd: 3, readable: true, writable: false })
onLines(requests, async line => send(await handle(JSON.parse(line))))
requests.on('close', endWithServer)
