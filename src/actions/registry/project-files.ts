// The files of a project from which a bundle is made, or with which one collides. Paths are relative to
// `.ai/`; a link on the way is refused.
import { lstatSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { AppError, lazy, matchesStars } from '../../base/index.ts'
import { readFile } from '../../files/index.ts'
import { folderOf, ITEM_TYPES, type ItemType, isItemType } from '../../item/index.ts'
import { FILE_BYTES, type Files, itemsOf, MOST_FILES, splitPath } from '../../registry/index.ts'
import { type SkippedPath, walk } from '../../scan/index.ts'
import type { Workspace } from '../../workspace/index.ts'

export interface ProjectFiles {
  /** The contents of the file, or undefined when there is none. */
  read(path: string): Uint8Array | undefined
  /**
   * Files with the same id but another extension that are not among `files`: one of the two would silently
   * win.
   */
  rivals(path: string, files: Files): string[]
  /**
   * The main files of other skills above, inside or in the folder of this main file: one skill would be a
   * part of the other.
   */
  skillRivals(path: string): string[]
  /** Files of a folder in `.ai/`. */
  list(folder: string): string[]
  /**
   * The files of the items named as `TYPE:ID`, where `*` matches any text; each name must match something.
   */
  select(refs: readonly string[]): Files
}

export function projectFiles({
  projectPath: root,
  extractors,
}: Pick<Workspace, 'projectPath' | 'extractors'>): ProjectFiles {
  const place = (path: string) => join(root, '.ai', ...path.split('/'))
  const look = (folder: string): Listing => {
    const { files, skipped } = walk(place(folder), { root, underscored: 'take', everything: true })
    const odd = skipped.filter(({ path, reason }) => ODD.includes(reason) && path !== `${place(folder)}/`)
    return {
      files: files.map(({ path }) => `${folder}/${path}`),
      odd: odd.map(one => ({ ...one, path: relative(join(root, '.ai'), one.path).split(sep).join('/') })),
    }
  }
  const list = (folder: string) => [...look(folder).files]
  const read = (path: string): Uint8Array | undefined => {
    refuseLinks(root, place(path), path)
    return readFile(place(path), { root, maxBytes: FILE_BYTES })?.bytes
  }
  const skillsHere = lazy(() =>
    itemsOf(withoutBytes(list(folderOf('skill'))), extractors).items.map(({ path }) => path),
  )
  return {
    read,
    list,
    rivals(path, files) {
      if (path.startsWith(`${folderOf('skill')}/`) || path.endsWith('.sig')) return []
      const folder = path.slice(0, path.lastIndexOf('/'))
      const { files: beside } = walk(place(folder), { root, underscored: 'take', depth: 0 })
      const { id } = splitPath(path)
      return beside
        .map(file => `${folder}/${file.path}`)
        .filter(other => !other.endsWith('.sig') && !files.has(other) && splitPath(other).id === id)
    },
    skillRivals(path) {
      const folder = folderIn(path)
      return skillsHere().filter(other => {
        const around = folderIn(other)
        return other !== path && (around.startsWith(folder) || folder.startsWith(around))
      })
    },
    select(refs) {
      const chosen = new Set(refs.flatMap(ref => filesOfRef(ref, look, extractors)))
      if (chosen.size > MOST_FILES)
        throw new AppError('INVALID_INPUT', `expected at most ${MOST_FILES} files, got ${chosen.size}`)
      return new Map([...chosen].sort().map(path => [path, read(path) ?? new Uint8Array()]))
    },
  }
}

interface Listing {
  readonly files: readonly string[]
  /** Paths that are not regular files, or cannot be read. */
  readonly odd: readonly SkippedPath[]
}

const ODD: readonly SkippedPath['reason'][] = [
  'symbolic-link',
  'special-file',
  'too-large',
  'too-deep',
  'too-many',
  'unreadable',
]

function filesOfRef(
  ref: string,
  look: (folder: string) => Listing,
  extractors: Workspace['extractors'],
): string[] {
  const colon = ref.indexOf(':')
  const [type, pattern] = [ref.slice(0, Math.max(colon, 0)), ref.slice(colon + 1)]
  if (!isItemType(type))
    throw new AppError(
      'INVALID_INPUT',
      `expected TYPE:ID with one of ${ITEM_TYPES.join(', ')}, got \`${ref}\``,
    )
  const { files: listed, odd } = look(folderOf(type))
  const found = type === 'skill' ? skillFiles(listed, pattern, extractors) : listed.filter(isNamed(pattern))
  const folders = new Set(found.map(path => path.slice(0, path.lastIndexOf('/') + 1)))
  const isIn = ({ path }: SkippedPath) =>
    type === 'skill' ? [...folders].some(folder => path.startsWith(folder)) : isNamed(pattern)(path)
  const bad = odd.find(isIn)
  if (bad)
    throw new AppError('FILE_UNREADABLE', `\`.ai/${bad.path}\` is in the way: ${bad.message}`, {
      hint: 'a bundle has regular files only: remove it, or put the file itself there',
    })
  if (found.length > 0) return found
  const message = `no ${type} \`${pattern}\` in this project's .ai/${folderOf(type as ItemType)}`
  throw new AppError('ITEM_NOT_FOUND', message)
}

function skillFiles(
  listed: readonly string[],
  pattern: string,
  extractors: Workspace['extractors'],
): string[] {
  const { items } = itemsOf(withoutBytes(listed), extractors)
  return items.filter(({ id }) => matchesStars(pattern, id, '?')).flatMap(({ paths }) => paths)
}

/** Items are recognised by the names of their files, so contents are not needed. */
function withoutBytes(paths: readonly string[]): Files {
  return new Map(paths.map(path => [path, new Uint8Array()]))
}

/** Ends with a slash. */
function folderIn(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1)
}

/** Matches an item file or the signature beside it. */
function isNamed(pattern: string): (path: string) => boolean {
  return path => matchesStars(pattern, splitPath(path.replace(/\.sig$/, '')).id, '?')
}

/**
 * What lies behind a link is not part of the project. The reader refuses links too; this error is clearer.
 */
function refuseLinks(root: string, place: string, path: string): void {
  let at = root
  for (const name of relative(root, place).split(sep)) {
    at = join(at, name)
    const stat = lstatSync(at, { throwIfNoEntry: false })
    if (stat?.isSymbolicLink())
      throw new AppError('FILE_UNREADABLE', `\`.ai/${path}\` is a link, or lies behind one`)
    if (at === place && stat && !stat.isFile())
      throw new AppError('FILE_UNREADABLE', `\`.ai/${path}\` is not a file`)
    if (!stat?.isDirectory()) return
  }
}
