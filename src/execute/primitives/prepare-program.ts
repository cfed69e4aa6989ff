// Prepares what must be on disk before an interpreter starts: its own file, and the private copy that it
// reads.
import type { AppError } from '../../base/index.ts'
import type { FunctionInvocation, PrivateCopy, ProcessInvocation } from '../../plan/index.ts'
import { requireProgram } from '../process/find-program.ts'
import { writePrivateCopy } from '../process/write-private-copy.ts'
import type { StrippedCopy } from '../workers/node-source.ts'
import type { PrimitiveCall } from './primitive.ts'

export interface PreparedProgram {
  /** Absolute. */
  readonly command: string
  /** As written to disk: for Node, TypeScript has its types stripped. */
  readonly copy: PrivateCopy | null
}

export async function prepareProgram({
  plan,
  invocation,
  parts,
}: PrimitiveCall<ProcessInvocation | FunctionInvocation>): Promise<PreparedProgram> {
  const { privateCopy, host } = invocation
  const stripped = privateCopy && host === 'node' ? await parts.nodeSources.strip(privateCopy) : undefined
  // Only a fault of the program itself is thrown here. Other files throw theirs when they are imported.
  const fault = invocation.kind === 'process' ? faultOf(invocation.args, stripped) : undefined
  if (fault) throw fault
  const copy = stripped ?? privateCopy
  if (copy) writePrivateCopy(copy)
  const outside = invocation.packages.allowed ? undefined : plan.projectPath
  return { command: requireProgram(invocation.command, plan.environment, outside), copy }
}

function faultOf(args: readonly string[], stripped: StrippedCopy | undefined): AppError | undefined {
  return args.map(path => stripped?.faults.get(path)).find(fault => fault !== undefined)
}
