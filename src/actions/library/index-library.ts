// Bring the search index up to date now, build it anew, or follow changes.
import { setTimeout as pause } from 'node:timers/promises'
import { openLiveIndex, stampSpaces } from '../../workspace/index.ts'
import { defineAction } from '../definition/action.ts'
import { projectPath } from '../definition/fields.ts'

const LOOK_EVERY_MS = 200

export const indexLibrary = defineAction({
  name: 'index',
  description: 'Bring the search index up to date.',
  effects: { readOnly: false, destructive: false, openWorld: false },
  fields: {
    rebuild: { type: 'boolean', about: 'forget what is indexed and read everything again', default: false },
    watch: { type: 'boolean', about: 'go on following changes until interrupted', default: false },
    project_path: projectPath,
  },
  run: async (context, input) => {
    const { signal } = context
    const started = performance.now()
    const workspace = await context.library.open(input.project_path)
    const index = await openLiveIndex(workspace, { watch: input.watch })
    if (input.rebuild) index.clear()
    const refresh = async () => {
      // Whatever its size, so that the next search finds the stamps.
      const stamps = await stampSpaces(context.library, input.project_path, { minIndexBytes: 0 })
      const view = await context.library.open(input.project_path)
      return index.refresh(view, {
        signal,
        stamps,
        onProgress: (done, total) => context.onProgress({ message: 'indexing', done, total }),
      })
    }
    const report = await refresh()
    while (input.watch && !signal.aborted) {
      await pause(LOOK_EVERY_MS, undefined, { signal }).catch(() => {})
      if (signal.aborted || (await index.isFresh())) continue
      const { added, updated, deleted } = await refresh()
      if (added + updated + deleted > 0)
        context.onNote(`${added} added, ${updated} updated, ${deleted} deleted`)
    }
    const { items, added, updated, deleted, unchanged, diagnostics } = report
    const duration_ms = Math.round(performance.now() - started)
    return { items, added, updated, deleted, unchanged, duration_ms, diagnostics }
  },
})
