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

export function createCodeWriter(code: NewCode | undefined): CodeWriter {
  let fresh = code
  return {
    keep: async () => {
      if (!fresh) return
      const { cache, make } = fresh
      fresh = undefined
      // Made before the module that writes it is loaded: the next start does not need that one.
      const made = make()
      const { writeCode } = await import('./write-code-cache.ts')
      writeCode(cache, made)
    },
    drop: () => {
      fresh = undefined
    },
  }
}
