// Markdown documents below a directory, each read when it is reached.
import type { SkillDiagnostic } from '../read/records.ts'
import { readListed, SKILL_LIMITS, walkDirectory } from './walk-directory.ts'

export interface KnowledgeFile {
  readonly path: string
  readonly bytes: Uint8Array
}

export interface KnowledgeTree {
  /** The directory as an absolute path. */
  readonly root: string
  files(): Generator<KnowledgeFile>
  /** Complete once the files have been read. */
  readonly diagnostics: readonly SkillDiagnostic[]
}

/** Every `.md` file below a directory, sorted by path. */
export function findKnowledgeFiles(directory: string): KnowledgeTree {
  const listing = walkDirectory(directory, SKILL_LIMITS)
  const documents = listing.files
    .filter(file => file.path.endsWith('.md'))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
  return {
    root: listing.root,
    diagnostics: listing.diagnostics,
    *files() {
      for (const { path } of documents) {
        const bytes = readListed(listing, path, SKILL_LIMITS.fileBytes)
        if (bytes) yield { path, bytes }
      }
    },
  }
}
