// The files of a skill as a tree; each can be read.
import type { ItemContent } from 'ryekit'
import { Foreign } from '../parts/basics.tsx'
import { countOf } from '../text/count.ts'
import { type Folder, growTree } from '../text/file-tree.ts'
import { escapeHidden } from '../text/hidden.ts'

export type File = ItemContent['files'][number]

interface Choice {
  readonly chosen: File
  readonly onChoose: (file: File) => void
}

export function Files({ files, ...choice }: Choice & { readonly files: readonly File[] }) {
  return (
    <nav class="files" aria-label="Files">
      <Branch folder={growTree(files)} {...choice} />
    </nav>
  )
}

function Branch({ folder, ...choice }: Choice & { readonly folder: Folder<File> }) {
  const { chosen, onChoose } = choice
  return (
    <ul>
      {folder.files.map(({ name, file }) => (
        <li key={name}>
          <button
            type="button"
            aria-current={file.path === chosen.path ? 'true' : undefined}
            aria-label={`${escapeHidden(file.path)}, ${printSize(file.size)}`}
            onClick={() => onChoose(file)}
          >
            <span>
              <Foreign text={name} />
            </span>{' '}
            <span class="faint">{printSize(file.size)}</span>
          </button>
        </li>
      ))}
      {folder.folders.map(inner => (
        <li key={`${inner.name}/`}>
          <details open>
            <summary class="files-folder">
              <Foreign text={`${inner.name}/`} />
            </summary>
            <Branch folder={inner} {...choice} />
          </details>
        </li>
      ))}
    </ul>
  )
}

const LONGEST = 1024 * 1024

/** Why a file has no text to show. */
export function whyNotShown({ size }: File): string {
  return size > LONGEST
    ? `${printSize(size)}: too long to be shown here, read it in an editor`
    : `${printSize(size)} that are not text`
}

function printSize(bytes: number): string {
  return bytes < 1024 ? countOf(bytes, 'byte') : `${(bytes / 1024).toFixed(1)} KB`
}
