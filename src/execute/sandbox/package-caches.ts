// Caches of package managers for sandboxed MCP servers, and for scripts of skills that `uv` runs: what `npx`
// or `uvx` fetched is there at the next start, although a sandbox's home is empty and ends with it. They lie
// in our own cache, never in the user's `~/.npm`: what runs outside a sandbox must not read what was written
// inside.
//
// A cache decides which code runs, so each server or script has its own, for one project and one definition.
// Only content that is checked whenever it is read is shared: npm's, which is named by its digest. npm's
// index is not shared, because it says which digest a package has.
//
// A folder is filled before it is put in its place. Afterwards nothing here enters it, because its content
// then belongs to the server or script.
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
} from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sha256Hex } from '../../base/index.ts'
import { makeFolders } from '../../files/index.ts'

export interface PackageCaches {
  /** Real folders that the server may write to. */
  readonly writable: readonly string[]
  readonly variables: Readonly<Record<string, string>>
  /** Must be called when what uses them has ended. */
  release(): void
}

const PRIVATE = 0o700
const UNUSED_MS = 30 * 24 * 3_600_000

/**
 * `owner` says whose they are. Without one, only the shared content is kept. Undefined where nothing can be
 * written.
 */
export function openPackageCaches(root: string, owner: string | undefined): PackageCaches | undefined {
  const shared = join(root, 'npm-content')
  const owners = join(root, 'servers')
  try {
    for (const path of [shared, owners]) makeFolders(path, PRIVATE)
    const own = owner === undefined ? makeFolder(owners, shared) : keptFolder(owners, shared, owner)
    const release = () => {
      if (owner === undefined) void rm(own, { recursive: true, force: true }).catch(() => {})
    }
    return { writable: [own, shared], variables: variablesFor(own), release }
  } catch {
    // A full or read-only disk: the server starts with an empty home, as other tools do.
    return undefined
  }
}

function keptFolder(owners: string, shared: string, owner: string): string {
  const own = join(owners, sha256Hex(owner).slice(0, 32))
  if (!existsSync(own)) {
    removeUnused(owners)
    const made = makeFolder(owners, shared)
    try {
      renameSync(made, own)
    } catch {
      // Another process was faster.
      rmSync(made, { recursive: true, force: true })
    }
  }
  const now = new Date()
  utimesSync(own, now, now)
  return own
}

function makeFolder(owners: string, shared: string): string {
  const made = mkdtempSync(join(owners, 'new-'))
  const npm = join(made, 'npm', '_cacache')
  makeFolders(npm, PRIVATE)
  symlinkSync(shared, join(npm, 'content-v2'))
  return made
}

/** No server runs for this long without being started again. */
function removeUnused(owners: string): void {
  for (const name of readdirSync(owners)) {
    const path = join(owners, name)
    if (Date.now() - statSync(path).mtimeMs > UNUSED_MS) rmSync(path, { recursive: true, force: true })
  }
}

function variablesFor(own: string): Record<string, string> {
  return {
    npm_config_cache: join(own, 'npm'),
    YARN_CACHE_FOLDER: join(own, 'yarn'),
    BUN_INSTALL_CACHE_DIR: join(own, 'bun'),
    DENO_DIR: join(own, 'deno'),
    UV_CACHE_DIR: join(own, 'uv'),
    UV_PYTHON_INSTALL_DIR: join(own, 'uv-python'),
    PIP_CACHE_DIR: join(own, 'pip'),
    PIPX_HOME: join(own, 'pipx'),
  }
}
