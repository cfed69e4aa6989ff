// What must be on disk before an interpreter starts: its own file, and the private copy that it reads.
import type { FunctionInvocation, PrivateCopy, ProcessInvocation } from '../../plan/index.ts'
import { requireProgram } from '../process/find-program.ts'
import { writePrivateCopy } from '../process/write-private-copy.ts'
import type { PrimitiveCall } from './primitive.ts'

export interface PreparedProgram {
  /** Absolute. */
  readonly command: string
  /** As written: for Node, TypeScript is without its types. */
  readonly copy: PrivateCopy | null
}

export async function prepareProgram({
  plan,
  invocation,
  parts,
}: PrimitiveCall<ProcessInvocation | FunctionInvocation>): Promise<PreparedProgram> {
  const { privateCopy, host } = invocation
  const copy = privateCopy && host === 'node' ? await parts.nodeSources.strip(privateCopy) : privateCopy
  if (copy) writePrivateCopy(copy)
  return { command: requireProgram(invocation.command, plan.environment), copy }
}
