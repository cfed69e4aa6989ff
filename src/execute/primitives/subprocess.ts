// The `subprocess` primitive: one process from start to end, in the isolation of this machine.
import { join } from 'node:path'
import type { Plan, ProcessInvocation } from '../../plan/index.ts'
import { captureProcess } from '../process/capture-process.ts'
import { launchArguments } from '../workers/launch-arguments.ts'
import { nodeFlags } from '../workers/node-source.ts'
import { prepareProgram } from './prepare-program.ts'
import type { Primitive } from './primitive.ts'
import { listenToLines, readProcessOutput } from './result.ts'

export const runSubprocess: Primitive<ProcessInvocation> = async call => {
  const { plan, invocation, parts } = call
  const { command, copy } = await prepareProgram(call)
  const flags =
    invocation.host === 'node' ? nodeFlags(invocation, anchorOf(plan), plan.projectPath) : undefined
  const launch = launchArguments(invocation)
  const isolated = await parts.isolation.isolate({
    command,
    args: [...(flags?.args ?? []), ...(launch?.args ?? []), ...invocation.args],
    cwd: invocation.cwd,
    env: { ...launch?.variables, ...plan.environment },
    projectPath: plan.projectPath,
    permissions: plan.permissions,
    extraPipes: launch ? 1 : 0,
    readable: [
      ...(copy ? [copy.directory] : []),
      ...(launch ? [launch.directory] : []),
      ...(flags?.readable ?? []),
    ],
    onStarted: call.onStarted,
    ...(invocation.packageOwner && { packageCaches: { owner: invocation.packageOwner } }),
  })
  try {
    const output = await captureProcess(parts.table, isolated.request, {
      stdin: invocation.stdin,
      extraInput: launch?.input,
      timeoutMs: plan.timeoutMs,
      outputBytes: parts.options.outputBytes,
      signal: call.signal,
      ...listenToLines(call),
    })
    const { isolation } = isolated
    return { ...readProcessOutput(output, plan.timeoutMs), isolation, refused: isolated.takeRefused() }
  } finally {
    isolated.release()
  }
}

/** Where the author put the tool: packages are resolved from there. */
function anchorOf(plan: Plan): string {
  return plan.elements[0]?.path ?? join(plan.projectPath, 'tool.js')
}
