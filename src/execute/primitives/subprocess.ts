// The `subprocess` primitive: one process from start to end, in the isolation of this machine.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
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
  const flags = invocation.host === 'node' ? nodeFlags(invocation, anchorUrl(plan)) : []
  const launch = launchArguments(invocation)
  const isolated = await parts.isolation.isolate({
    command,
    args: [...flags, ...(launch?.args ?? []), ...invocation.args],
    cwd: invocation.cwd,
    env: plan.environment,
    projectPath: plan.projectPath,
    permissions: plan.permissions,
    extraPipes: launch ? 1 : 0,
    readable: [...(copy ? [copy.directory] : []), ...(launch ? [launch.directory] : [])],
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
function anchorUrl(plan: Plan): string {
  return pathToFileURL(plan.elements[0]?.path ?? join(plan.projectPath, 'tool.js')).href
}
