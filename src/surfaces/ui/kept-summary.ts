// The summary of a project, for as long as it holds: however many pages ask, and however often they are opened, everything is looked at
// once for each change. One that nobody waits for any more is finished, for whoever asks next.
import type { Library } from '../../workspace/index.ts'
import { changesOf } from './project-changes.ts'
import type { Summary } from './summary-types.ts'

export interface KeptSummary {
  read(): Promise<Summary>
}

export function keepSummary(
  library: Library,
  projectPath: string,
  summarize: () => Promise<Summary>,
): KeptSummary {
  let last: { readonly items: number; readonly keys: object; readonly summary: Promise<Summary> } | undefined
  return {
    async read() {
      const { items } = await (await changesOf(library, projectPath)).look()
      // Verdicts hold for as long as the keys are the same object.
      const { keys } = (await library.open(projectPath)).trust
      if (last?.items === items && last.keys === keys) return last.summary
      const before = last?.summary.catch(() => {}) ?? Promise.resolve()
      const made = { items, keys, summary: before.then(summarize) }
      last = made
      const forget = () => {
        if (last === made) last = undefined
      }
      // A signature from the future becomes good by itself.
      made.summary.then(({ trust }) => trust.malformed === 0 || forget(), forget)
      return made.summary
    },
  }
}
