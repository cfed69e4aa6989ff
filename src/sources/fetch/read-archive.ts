// An archive on this machine as a source, unpacked in memory. A link, a device, a name that leads elsewhere,
// or two names for one file make the whole archive invalid: we do not guess what was meant.
import { AppError, sha256Hex } from '../../base/index.ts'
import { readFile } from '../../files/index.ts'
import { idProblem } from '../../item/index.ts'
import { foldPath, isReservedId } from '../../registry/bundle/index.ts'
import { gunzip, readTar } from '../../registry/index.ts'
import { MOST_SOURCE_FILES, SOURCE_FILE_BYTES, type SourceTree } from '../find/source-tree.ts'
import { readZip } from './read-zip.ts'

const ARCHIVE_BYTES = 100_000_000

export interface ArchiveTree extends SourceTree {
  readonly integrity: string
}

/** Throws `ITEM_MALFORMED`, `FILE_UNREADABLE`, `FILE_TOO_LARGE`. */
export async function readArchiveSource(path: string): Promise<ArchiveTree> {
  const archive = readFile(path, { maxBytes: ARCHIVE_BYTES })?.bytes
  if (archive === undefined) throw new AppError('FILE_UNREADABLE', `there is no archive \`${path}\``)
  const digest = sha256Hex(archive)
  const { files, name } = await unpack(path, archive)
  return { ...treeOf(files, digest), integrity: `sha256-${digest}`, ...(name !== undefined && { name }) }
}

/** Files in memory as a source. */
export function treeOf(files: ReadonlyMap<string, Uint8Array>, resolved: string): SourceTree {
  const small = [...files].filter(([, bytes]) => bytes.length <= SOURCE_FILE_BYTES)
  const large = [...files].filter(([, bytes]) => bytes.length > SOURCE_FILE_BYTES)
  return {
    resolved,
    files: small
      .map(([path, bytes]) => ({ path, size: bytes.length }))
      .sort((a, b) => (a.path < b.path ? -1 : 1)),
    odd: large.map(([path]) => ({ path, reason: `is larger than ${SOURCE_FILE_BYTES} bytes` })),
    read: async paths => new Map(paths.map(path => [path, files.get(path)!])),
  }
}

interface Unpacked {
  readonly files: Map<string, Uint8Array>
  readonly name?: string
}

async function unpack(path: string, archive: Buffer): Promise<Unpacked> {
  const entries = /\.zip$/i.test(path)
    ? await readZip(archive)
    : readTar(/\.tar$/i.test(path) ? archive : await gunzip(archive))
  const files = new Map<string, Uint8Array>()
  const folded = new Map<string, string>()
  for (const { path: name, bytes } of entries) {
    const twin = folded.get(foldPath(name))
    if (twin !== undefined)
      throw new AppError(
        'ITEM_MALFORMED',
        `the archive holds two files for one name: \`${twin}\` and \`${name}\``,
      )
    folded.set(foldPath(name), name)
    files.set(name, bytes)
    if (files.size > MOST_SOURCE_FILES)
      throw new AppError('ITEM_MALFORMED', `the archive holds more than ${MOST_SOURCE_FILES} files`)
  }
  return withoutCommonFolder(files)
}

/**
 * Removes the single top folder into which forges pack a repository. If that folder has the name of the skill
 * in it, its name is kept.
 */
function withoutCommonFolder(files: Map<string, Uint8Array>): Unpacked {
  const firsts = new Set([...files.keys()].map(path => path.slice(0, path.indexOf('/') + 1)))
  const [common] = firsts
  if (firsts.size !== 1 || !common || common.startsWith('.')) return { files }
  const name = common.slice(0, -1)
  return {
    files: new Map([...files].map(([path, bytes]) => [path.slice(common.length), bytes])),
    ...(nameOfSkill(files.get(`${common}SKILL.md`)) === name && { name }),
  }
}

const HEAD_BYTES = 10_000
const NAME = /^name[ \t]*:[ \t]*(["']?)([\w-]+)\1[ \t]*(?:#.*)?$/m

/** The name in its front matter, if it is one plain word that can be an id. */
function nameOfSkill(main: Uint8Array | undefined): string | undefined {
  const head = new TextDecoder().decode(main?.subarray(0, HEAD_BYTES)).replaceAll('\r\n', '\n')
  const [, matter = ''] = /^---[ \t]*\n(.*?)^---[ \t]*$/ms.exec(head) ?? []
  const name = NAME.exec(matter)?.[2]
  return name !== undefined && idProblem(name) === undefined && !isReservedId(name) ? name : undefined
}
