// Which items the files of a bundle make, and what trust says about each. Nothing is written to disk: the
// bytes in memory are judged.
import { sha256Hex } from '../../base/index.ts'
import { chooseItemFiles, type Extractors, itemFileExtension } from '../../extract/index.ts'
import { folderOf, type ItemType } from '../../item/index.ts'
import { SKILL_SIGNATURE, type TrustContext, type Verdict, verify, verifySkill } from '../../trust/index.ts'
import { type Files, typeOfPath } from './bundle-path.ts'

export interface BundleItem {
  /** `TYPE:ID`. */
  readonly ref: string
  readonly type: ItemType
  readonly id: string
  /** The path of the file that is parsed. */
  readonly path: string
  /** With its dot. */
  readonly extension: string
  readonly bytes: Uint8Array
  /** All files that belong to it, including its signature. */
  readonly paths: readonly string[]
  /** `root` is the folder that holds its `.ai/`. Needed for keys that are trusted in one project only. */
  judge(trust: TrustContext, root?: string): Verdict
}

export interface BundleItems {
  /** Sorted by reference. */
  readonly items: readonly BundleItem[]
  /** Files that belong to no item, so nobody can have signed them. */
  readonly strays: readonly string[]
}

export function itemsOf(files: Files, extractors: Extractors): BundleItems {
  const plain = [...files.keys()].flatMap(path => {
    const type = typeOfPath(path)
    if (type === undefined || type === 'skill') return []
    return plainItemAt(path, type, { files, extractors }) ?? []
  })
  const items = [...plain, ...skillFiles({ files, extractors }).map(path => skillAt(path, files))]
  const owned = new Set(items.flatMap(item => item.paths))
  return {
    items: items.sort((a, b) => (a.ref < b.ref ? -1 : 1)),
    strays: [...files.keys()].filter(path => !owned.has(path)),
  }
}

/** The id, and the extension with its dot, of a path below `.ai/`. */
export function splitPath(path: string): { id: string; extension: string } {
  const below = path.slice(path.indexOf('/') + 1)
  const dot = below.lastIndexOf('.')
  if (dot <= below.lastIndexOf('/') + 1) return { id: below, extension: '' }
  return { id: below.slice(0, dot), extension: below.slice(dot) }
}

interface Surroundings {
  readonly files: Files
  readonly extractors: Extractors
}

function plainItemAt(
  path: string,
  type: ItemType,
  { files, extractors }: Surroundings,
): BundleItem | undefined {
  const { id, extension } = splitPath(path)
  const format = extractors.get(type)?.signatureFormats.get(extension)
  if (format === undefined) return undefined
  const bytes = files.get(path)!
  const detached = format.detached ? files.get(`${path}.sig`) : undefined
  return {
    ...{ ref: `${type}:${id}`, type, id, path, extension, bytes },
    paths: detached ? [path, `${path}.sig`] : [path],
    judge: (trust, root) =>
      verify(
        { type, id, extension, bytes, format, ...(root && { root }), ...(detached && { detached }) },
        trust,
      ),
  }
}

/** The main file of each skill, in any case of its name. Of nested skills, the outer one is the item. */
function skillFiles({ files, extractors }: Surroundings): string[] {
  const extractor = extractors.get('skill')
  if (extractor === undefined) return []
  const namesOf = new Map<string, string[]>()
  for (const path of files.keys()) {
    const slash = path.lastIndexOf('/')
    const [folder, name] = [path.slice(0, slash), path.slice(slash + 1)]
    if (typeOfPath(path) !== 'skill' || folder === folderOf('skill')) continue
    if (itemFileExtension(extractor, name) === undefined) continue
    namesOf.set(folder, [...(namesOf.get(folder) ?? []), name])
  }
  const isPart = (folder: string) => foldersAround(folder).some(around => namesOf.has(around))
  return [...namesOf].flatMap(([folder, names]) =>
    isPart(folder) ? [] : chooseItemFiles(extractor, names).map(({ name }) => `${folder}/${name}`),
  )
}

function foldersAround(folder: string): string[] {
  const names = folder.split('/')
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join('/'))
}

function skillAt(path: string, files: Files): BundleItem {
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  const id = folder.slice(`${folderOf('skill')}/`.length, -1)
  const paths = [...files.keys()].filter(other => other.startsWith(folder))
  const signature = files.get(folder + SKILL_SIGNATURE)
  return {
    ...{ ref: `skill:${id}`, type: 'skill', id, path, extension: '.md', bytes: files.get(path)!, paths },
    judge(trust, root) {
      const digests = paths
        .filter(other => other !== folder + SKILL_SIGNATURE)
        .map(other => [other.slice(folder.length), sha256Hex(files.get(other)!)] as const)
      const skill = { id, files: new Map(digests), ...(root && { root }), ...(signature && { signature }) }
      return verifySkill(skill, trust)
    },
  }
}
