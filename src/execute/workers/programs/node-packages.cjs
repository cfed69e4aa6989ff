// Which packages a JavaScript tool may import. They are resolved from the place where the author put the
// tool, and nobody verified what is there, so packages of a project count only if the user allows that. A
// file that a tool names by its path, as with `createRequire`, is the tool's own choice, and signed with it.
//
// CommonJS, because Node can preload nothing else for a thread whose source is in no file.
const { realpathSync } = require('node:fs')
const Module = require('node:module')
const { join, sep } = require('node:path')
const { fileURLToPath, pathToFileURL } = require('node:url')
const { setEnvironmentData } = require('node:worker_threads')

const { isBuiltin, register } = Module
/** Under this name each thread finds the rules of the call that started it. */
const RULES = 'rye.packages'

/** An error without stack frames: where it was thrown says nothing about the tool. */
class Refusal extends Error {
  constructor(message) {
    super(message)
    this.stack = `Error: ${message}`
  }
}

/**
 * Returns the source of a module. A file that could not be read as TypeScript was replaced by a module that
 * throws the reason (`node-source.ts`). That reason is thrown here at once: an importer of its names would
 * only be told that it has none.
 */
function checkSource(text) {
  const fault = /^throw new SyntaxError\((".*")\)\n$/.exec(text)
  if (fault) throw new Refusal(JSON.parse(fault[1]))
  return text
}

/** Adds the file to a syntax error: nothing else in the error names it. */
function naming(file, compile) {
  try {
    return compile()
  } catch (fault) {
    if (fault instanceof SyntaxError) fault.message = `\`${file}\`: ${fault.message}`
    throw fault
  }
}

/** Whether Node may look for it among packages: it is neither a path, an address nor a built-in module. */
function isPackage(specifier) {
  return !/^(?:[./#]|[a-z][a-z\d+.-]*:)/i.test(specifier) && !isBuiltin(specifier)
}

/** Whether Node gave this in place of a file: `[worker eval]`, `[eval1]`, or the current folder. */
function isEvaluated(path) {
  return /(?:^|[\\/])(?:\[[^\\/]*\])?$/.test(path)
}

class Packages {
  #copies
  #project
  #allowed
  #refusal
  #isInProject

  /** `copy` is the folder of the verified files, `anchor` where the tool comes from. */
  constructor({ copy, anchor, project, allowed, refusal }) {
    // Node names files by their real paths, and a function by the path that we give it.
    this.#copies = [copy, realPath(copy)]
    this.#project = realPath(project)
    this.#allowed = allowed
    this.#refusal = refusal
    this.anchorUrl = pathToFileURL(anchor).href
    this.#isInProject = isBelow(this.#project, realPath(anchor))
  }

  isVerified(url) {
    if (!url.startsWith('file:')) return false
    const path = fileURLToPath(url)
    return this.#copies.some(copy => isBelow(copy, path))
  }

  /** Checks what was found near the verified files, such as a package among them. */
  checkNear(specifier, url) {
    if (!this.isVerified(url)) this.#check(specifier, url, false)
  }

  /**
   * Checks what was found from the place where the author put the tool. In a project, its links decide where
   * that leads.
   */
  checkFar(specifier, url) {
    this.#check(specifier, url, this.#isInProject)
  }

  /**
   * Checks what was found for source that is in no file, such as that of a thread: Node looks from the
   * current folder.
   */
  checkEvaluated(specifier, url) {
    this.#check(specifier, url, isBelow(this.#project, realPath(process.cwd())))
  }

  #check(specifier, url, isOfProject) {
    if (this.#allowed || !url.startsWith('file:')) return
    const path = fileURLToPath(url)
    if (!isOfProject && !isBelow(this.#project, realPath(path))) return
    throw new Refusal(`the package \`${specifier}\` was found in \`${path}\` and not used, ${this.#refusal}`)
  }
}

/** Checks the packages that verified files `require`, too: Node's hooks are not asked about those. */
function guardRequire(current) {
  const resolve = Module._resolveFilename
  Module._resolveFilename = function (specifier, parent, ...rest) {
    const found = resolve.call(this, specifier, parent, ...rest)
    const packages = current()
    if (!packages || isBuiltin(found) || /^(?:\.|\/)/.test(specifier)) return found
    const [from, url] = [parent?.filename, pathToFileURL(found).href]
    if (!from || isEvaluated(from)) packages.checkEvaluated(specifier, url)
    else if (packages.isVerified(pathToFileURL(from).href)) packages.checkNear(specifier, url)
    return found
  }
}

function passToThreads(data) {
  setEnvironmentData(RULES, data)
}

let isInstalled = false

/** For a script or a thread: everything that it imports is resolved by our hooks. */
function installHooks(data) {
  if (isInstalled) return
  isInstalled = true
  register(pathToFileURL(join(__dirname, 'node-hooks.mjs')), { data })
  const packages = new Packages(data)
  guardRequire(() => packages)
  passToThreads(data)
}

function isBelow(folder, path) {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}

function realPath(path) {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

module.exports = {
  checkSource,
  guardRequire,
  installHooks,
  isEvaluated,
  isPackage,
  naming,
  Packages,
  passToThreads,
  Refusal,
  RULES,
}
