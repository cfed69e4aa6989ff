// A real folder for one test. Values are file contents; a key that ends in `/` is an empty folder.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'

export function temporaryTree(
  files: Readonly<Record<string, string>> = {},
  outer: string = realpathSync(tmpdir()),
): string {
  const root = mkdtempSync(join(outer, 'rye-scan-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  for (const [path, content] of Object.entries(files)) {
    const full = join(root, path)
    mkdirSync(path.endsWith('/') ? full : dirname(full), { recursive: true })
    if (!path.endsWith('/')) writeFileSync(full, content)
  }
  return root
}
