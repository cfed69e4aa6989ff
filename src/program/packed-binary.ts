// A native module that is compressed in the package. At its first use it is unpacked beside the compiled code
// kept from one start to the next, under the same rule (`code-cache.ts`): only where anyone who can write
// could change the program as well. When it is unpacked, its digest is checked against the one the package
// names. Later starts load it like an installed module and only check its length: computing the digest would
// take longer than loading it. Where nothing can be kept, it is unpacked for this process alone.
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { AppError, sha256Hex, systemErrorCode } from '../base/index.ts'
import { atomicWrite } from '../files/index.ts'
import { type CodePlace, statePlaces, useKept } from './code-cache.ts'
import { keepFile } from './keep-file.ts'

export interface PackedBinary {
  /** Compressed with brotli. */
  readonly path: string
  readonly name: string
  /** SHA-256 of the unpacked bytes. */
  readonly digest: string
  /** Length of the unpacked bytes. */
  readonly size: number
}

const MAX_BYTES = 16 * 1024 * 1024

/** Where unpacked binaries may be, best first. */
export function binaryPlaces(
  packageRoot: string,
  environment: Readonly<Record<string, string | undefined>>,
): CodePlace[] {
  const inPackage = { roots: [packageRoot], folder: join(packageRoot, '.cache', 'native') }
  // `known`, because the tour comes here too, and must leave nothing in the user's home. Every other command
  // also keeps its compiled code afterwards, which makes the folder.
  return [inPackage, ...statePlaces('native', environment, 'known')]
}

export function loadPacked<T>(
  packed: PackedBinary,
  places: readonly CodePlace[],
  load: (path: string) => T,
): T {
  const { name, digest, size } = packed
  const file = `${digest.slice(0, 16)}-${name}`
  const owners = ownersOf(packed.path)
  for (const { folder } of places) {
    const path = join(folder, file)
    const isWhole = useKept(path, owners, (_, bytes) => bytes === size)
    const loaded = isWhole ? tryToLoad(path, load) : undefined
    if (loaded) return loaded.module
  }
  const bytes = unpack(packed)
  for (const place of places) {
    const path = join(place.folder, file)
    const isKept = keepFile(place, file, bytes) !== undefined
    const loaded = isKept ? tryToLoad(path, load) : undefined
    if (loaded) return loaded.module
  }
  return loadOnce(name, bytes, load)
}

function ownersOf(path: string): number[] {
  const user = process.geteuid?.()
  return user === undefined ? [] : [user, statSync(path).uid]
}

function unpack({ path, name, digest }: PackedBinary): Buffer {
  const { brotliDecompressSync } = process.getBuiltinModule('node:zlib')
  try {
    const bytes = brotliDecompressSync(readFileSync(path), { maxOutputLength: MAX_BYTES })
    if (sha256Hex(bytes) === digest) return bytes
  } catch (thrown) {
    if (systemErrorCode(thrown) === undefined) throw thrown
  }
  throw new AppError('FILE_UNREADABLE', `\`${path}\` does not hold \`${name}\` as it was packed`, {
    hint: 'the package is damaged: install it again',
  })
}

/** Some systems refuse to load code from a home or temporary folder. */
function tryToLoad<T>(path: string, load: (path: string) => T): { readonly module: T } | undefined {
  try {
    return { module: load(path) }
  } catch {
    return undefined
  }
}

/** Loads it from a new folder that nobody else can write to, removed once the module is loaded. */
function loadOnce<T>(name: string, bytes: Buffer, load: (path: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'rye-native-'))
  const path = join(folder, name)
  try {
    atomicWrite(path, bytes, { root: dirname(path) })
    return load(path)
  } finally {
    try {
      rmSync(folder, { recursive: true, force: true })
    } catch {
      // Windows does not remove files that are loaded.
    }
  }
}
