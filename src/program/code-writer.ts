// Keeps what a start compiled for the next one: once, and only if the next one will need it.
import type { NewCode } from './code-cache.ts'

export interface CodeWriter {
  readonly keep: () => Promise<void>
  /**
   * Keeps nothing of this start, however long it runs. A start that builds an index compiles much that later
   * ones do without, and little of what they need to answer from it.
   */
  readonly drop: () => void
}

/** `compiled` is called when the code is kept: by then everything that a start needs has been compiled. */
export function createCodeWriter(compiled: () => readonly NewCode[]): CodeWriter {
  let isWanted = true
  return {
    keep: async () => {
      if (!isWanted) return
      isWanted = false
      // Made before the module that writes it is loaded, which the next start does not need.
      const made = compiled().map(({ cache, make }) => ({ cache, code: make() }))
      if (made.length === 0) return
      const { writeCode } = await import('./write-code-cache.ts')
      for (const { cache, code } of made) writeCode(cache, code)
    },
    drop: () => {
      isWanted = false
    },
  }
}
