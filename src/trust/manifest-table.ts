// The digests of the bundled items, one `TYPE:PATH DIGEST` per line: small to generate, quick to read.

export function parseManifestTable(table: string): ReadonlyMap<string, readonly string[]> {
  const manifest = new Map<string, string[]>()
  for (const line of table.split('\n')) {
    const [name, digest] = line.split(' ')
    if (name === undefined || digest === undefined) continue
    const digests = manifest.get(name)
    if (digests === undefined) manifest.set(name, [digest])
    else digests.push(digest)
  }
  return manifest
}
