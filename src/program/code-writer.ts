// Keeps what a start compiled for the next one, once, and only if that one will need it.
import type { NewCode } from './code-cache.ts'

export interface CodeWriter {
  readonly keep: () => Promise<void>
  /**
   * Nothing of this start is kept, however long it takes: one that builds an index compiles much that later ones do without, and little
   * of how they answer from it.
   */
  readonly drop: () => void
}

/** `compiled` is asked when the code is to be kept: by then all that a start needs was compiled. */
export function createCodeWriter(compiled: () => readonly NewCode[]): CodeWriter {
  let isWanted = true
  return {
    keep: async () => {
      if (!isWanted) return
      isWanted = false
      // Made before the module that writes it is loaded: the next start does not need that one.
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
