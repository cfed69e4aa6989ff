import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { locate } from '../../src/scan/locate.ts'
import { walk } from '../../src/scan/walk.ts'
import { systemExtractors } from '../extract/system-extractors.ts'
import { createLibrary } from '../scan/library.ts'

describe('a named pipe in a space', () => {
  it('is neither opened nor waited for', async () => {
    const library = createLibrary('project/.ai/tools/ok.sh')
    const folder = `${library.root}/project/.ai/tools`
    execFileSync('mkfifo', [`${folder}/pipe.py`])
    expect(walk(folder)).toMatchObject({ files: [{ path: 'ok.sh' }], skipped: [{ reason: 'special-file' }] })
    const { found, skipped } = locate(library.roots, await systemExtractors(), { id: 'pipe', type: 'tool' })
    expect(found).toEqual([])
    expect(skipped).toMatchObject([{ reason: 'special-file', path: `${folder}/pipe.py` }])
  })
})
