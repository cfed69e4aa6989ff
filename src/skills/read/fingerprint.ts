// One digest of everything that a scan depends on: names and contents of files, and the version of the scanner.
import { sha256Hex } from '../../base/index.ts'
import { compareText } from './file-report.ts'
import type { SkillFolder } from './records.ts'

/** Raise it when the same files would give other records. */
export const SCANNER_VERSION = 2

export interface Fingerprint {
  add(folder: SkillFolder): void
  digest(): string
}

export function createFingerprint(): Fingerprint {
  const lines = [`scanner ${SCANNER_VERSION}`]
  return {
    add({ path, name, files }) {
      const list = [...files].sort(([a], [b]) => compareText(a, b))
      lines.push(JSON.stringify([path, name]))
      for (const [file, bytes] of list) lines.push(JSON.stringify([file, bytes ? sha256Hex(bytes) : null]))
    },
    digest: () => sha256Hex(lines.join('\n')),
  }
}
