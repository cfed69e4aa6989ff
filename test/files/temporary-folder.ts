// A folder for each test, removed afterwards.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'rye-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
