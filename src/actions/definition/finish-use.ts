// The end of every call that uses items: what was used is remembered, and what its caller has to know about it is said.
import type { UseMemory } from '../../workspace/index.ts'

export async function finishUse(view: { readonly memory: UseMemory }): Promise<{ warning?: string }> {
  const warnings = await view.memory.finish()
  return warnings.length > 0 ? { warning: warnings.join('; ') } : {}
}
