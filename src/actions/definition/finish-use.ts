// Ends every call that uses items: remembers what was used, and returns warnings for its caller.
import type { UseMemory } from '../../workspace/index.ts'

export async function finishUse(view: { readonly memory: UseMemory }): Promise<{ warning?: string }> {
  const warnings = await view.memory.finish()
  return warnings.length > 0 ? { warning: warnings.join('; ') } : {}
}
