// Plans written by hand, and a look at the machine's processes. A run's leftovers are found by a marker in
// their environment, which every descendant inherits, whatever group or session it moved to.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sha256Hex } from '../../src/base/digest.ts'
import type { FunctionInvocation, Plan, PrivateCopy, ProcessInvocation } from '../../src/plan/types.ts'

export const FIXTURES = new URL('../fixtures/execute/', import.meta.url).pathname
export const BASH = '/bin/bash'

/** The real interpreter, not a version manager's shim. */
export const PYTHON = execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], {
  encoding: 'utf8',
}).trim()

let made = 0
export function makeMarker(): string {
  made += 1
  return `rye-test-${process.pid}-${made}`
}

export function makeDirectory(): string {
  return realpathSync(mkdtempSync(join(tmpdir(), 'rye-execute-')))
}

export type PlanParts = Partial<Omit<Plan, 'invocation'>> & { readonly invocation: Plan['invocation'] }

export function makePlan(parts: PlanParts): Plan {
  return {
    itemId: 'test/tool',
    projectPath: parts.projectPath ?? makeDirectory(),
    elements: [],
    references: [],
    chain: [],
    validatedPairs: 0,
    parameters: {},
    environment: { PATH: process.env.PATH ?? '/usr/bin:/bin' },
    environmentOrigins: new Map(),
    secrets: [],
    timeoutMs: 20_000,
    concurrency: 'shared',
    permissions: { network: [], write: [] },
    leftOut: [],
    notes: [],
    ...parts,
  }
}

export function makePrivateCopy(
  copiesRoot: string,
  files: Readonly<Record<string, string | Uint8Array>>,
): PrivateCopy {
  const digest = sha256Hex(
    JSON.stringify(Object.entries(files).map(([path, bytes]) => [path, sha256Hex(bytes)])),
  )
  return {
    digest,
    directory: join(copiesRoot, digest),
    files: Object.entries(files).map(([path, bytes]) => ({ path, bytes: Buffer.from(bytes) })),
  }
}

const NO_PACKAGES = { allowed: false, refusal: 'because nobody verified it' }

export function processInvocation(
  parts: Partial<ProcessInvocation> & { readonly cwd: string },
): ProcessInvocation {
  return {
    kind: 'process',
    command: BASH,
    args: [],
    privateArgs: null,
    stdin: '',
    privateCopy: null,
    host: null,
    packages: NO_PACKAGES,
    ...parts,
  }
}

export function functionInvocation(
  source: string | Uint8Array,
  parts: Partial<FunctionInvocation> & { readonly cwd: string; readonly command: string },
): FunctionInvocation {
  const bytes = Buffer.from(source)
  return {
    kind: 'function',
    host: 'python',
    functionName: 'execute',
    call: 'params',
    source: bytes,
    digest: sha256Hex(bytes),
    filename: `/copies/${sha256Hex(bytes)}/tool.py`,
    privateCopy: null,
    packages: NO_PACKAGES,
    ...parts,
  }
}

/** Processes whose environment holds the marker, except this one. */
export function findMarked(marker: string): number[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter(name => {
      try {
        return readFileSync(`/proc/${name}/environ`, 'latin1').includes(marker)
      } catch {
        return false
      }
    })
    .map(Number)
}

/** Waits until nothing with the marker is alive, for less time than any leftover of a test sleeps. */
export async function findSurvivors(marker: string): Promise<number[]> {
  const deadline = performance.now() + 30_000
  for (;;) {
    const found = findMarked(marker)
    if (found.length === 0 || performance.now() > deadline) return found
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}
