// The names under which the file of a folder item is looked for. Some authors write `skill.md`; where both are, the first counts.
import type { Extractor } from '../extract/index.ts'

/** Name → extension, the preferred one first. */
export function itemFileNames({ itemFile, extensions }: Extractor): Map<string, string> {
  const names = new Map(extensions.map(extension => [`${itemFile}${extension}`, extension]))
  for (const [name, extension] of [...names]) {
    if (!names.has(name.toLowerCase())) names.set(name.toLowerCase(), extension)
  }
  return names
}
