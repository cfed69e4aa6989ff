// Calls a function of a tool in a warm worker. This is part of the `subprocess` primitive, without starting
// an interpreter.
import { dirname } from 'node:path'
import type { FunctionInvocation } from '../../plan/index.ts'
import type { NodeSources } from '../workers/node-source.ts'
import { prepareProgram } from './prepare-program.ts'
import type { Primitive } from './primitive.ts'
import { listenToLines, readWorkerAnswer } from './result.ts'

export const callFunction: Primitive<FunctionInvocation> = async call => {
  const { plan, invocation, parts } = call
  const { command, copy } = await prepareProgram(call)
  const { text, format } = await readSource(invocation, parts.nodeSources)
  const key = {
    origins: plan.elements.map(({ space, verdict: { format, signer } }) => ({ space, format, signer })),
    host: invocation.host,
    command,
    env: plan.environment,
    projectPath: plan.projectPath,
    hasProjectPackages: invocation.host === 'node' && invocation.packages.allowed,
    permissions: plan.permissions,
    isolation: await parts.isolation.stamp(),
    // A worker serves several tools, so it sees the directory of all private copies.
    readable: copy ? [dirname(copy.directory)] : [],
  }
  const workerCall = {
    request: {
      filename: invocation.filename,
      packages: {
        copy: invocation.origin?.copy ?? dirname(invocation.filename),
        anchor: plan.elements[0]?.path ?? invocation.filename,
        project: plan.projectPath,
        ...invocation.packages,
      },
      siblings: copy !== null,
      function: invocation.functionName,
      call: invocation.call,
      params: plan.parameters,
      project_path: plan.projectPath,
      cwd: invocation.cwd,
    },
    digest: invocation.digest,
    source: () => ({ source: Buffer.from(text).toString('base64'), format }),
    timeoutMs: plan.timeoutMs,
    signal: call.signal,
    outputBytes: parts.options.outputBytes,
    ...listenToLines(call),
    onStarted: call.onStarted,
  }
  const answer = await parts.workers.call(key, workerCall, { once: invocation.once })
  const { isolation, refused } = answer
  return { ...readWorkerAnswer(answer, plan.timeoutMs), isolation, refused }
}

/** The source that the worker compiles: for Node with its types stripped, for Python the unchanged bytes. */
async function readSource(
  invocation: FunctionInvocation,
  nodeSources: NodeSources,
): Promise<{ readonly text: string | Uint8Array; readonly format: string }> {
  const { digest, source, filename } = invocation
  if (invocation.host === 'node') return nodeSources.read(digest, source, filename)
  return { text: source, format: 'python' }
}
