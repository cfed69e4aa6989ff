// A plan for the programs of this folder: in a project, with a marker by which its processes are found.
import type { Plan } from '../../../src/plan/types.ts'

export function planOf(project: string, marker: string, invocation: Plan['invocation']): Plan {
  return {
    itemId: 'test/tool',
    projectPath: project,
    elements: [],
    references: [],
    chain: [],
    validatedPairs: 0,
    parameters: {},
    environment: { PATH: '/usr/bin:/bin', MARKER: marker },
    environmentOrigins: new Map(),
    secrets: [],
    timeoutMs: 600_000,
    concurrency: 'shared',
    permissions: { network: [], write: [] },
    leftOut: [],
    notes: [],
    invocation,
  }
}

/** A script for bash. */
export function scriptOf(project: string, script: string): Plan['invocation'] {
  return {
    kind: 'process',
    command: '/bin/bash',
    args: ['-c', script],
    cwd: project,
    stdin: '',
    privateArgs: null,
    privateCopy: null,
    host: null,
    packages: { allowed: false, refusal: '' },
  }
}
