// `rye dev`: watches the project. A saved item is validated at once. An item with the person's own signature
// is signed again when they press a key, never automatically: a signature says that someone has looked. Then
// the call that was given, or asked for with a key, is run again.
import { setTimeout as pause } from 'node:timers/promises'
import { ITEM_TYPES } from '../../../item/index.ts'
import { watchRoots } from '../../../scan/index.ts'
import { findSigningKey } from '../../../user/index.ts'
import { describeDevMode, openLibrary, usedHelpers, type Workspace } from '../../../workspace/index.ts'
import { listenForInterrupt } from '../interruption.ts'
import { renderAnswer } from '../render/answer.ts'
import { renderFailure } from '../render/failure.ts'
import { createTerminal, type Terminal } from '../terminal.ts'
import { callAction } from './call-action.ts'
import { type Checking, checkItem } from './check-item.ts'
import type { DevInput, DevSettings } from './fields.ts'
import { listenForKeys } from './keys.ts'
import { findLastRun } from './last-run.ts'

const LOOK_EVERY_MS = 100
const CTRL_C = '\u0003'
const INTERRUPTED = 130

export async function runDev(input: DevInput, { environment }: DevSettings): Promise<number> {
  const color = !environment.NO_COLOR && environment.TERM !== 'dumb'
  const terminal = createTerminal(process.stdout, process.stderr, { color, quiet: false })
  const library = openLibrary({ environment })
  const watch = watchRoots()
  const keys = listenForKeys(process.stdin)
  const interruption = listenForInterrupt()
  const project = input.project_path
  try {
    const checking: Checking = {
      library,
      project,
      style: terminal.style,
      fingerprint: findSigningKey(library.userSpace)?.fingerprint,
    }
    let known = await readStates(await library.open(project), watch)
    const loop: Loop = {
      ...{ terminal, checking, input, toSign: new Set<string>(), signal: interruption.signal },
      again: input.item_id,
    }
    terminal.print(`watching ${project}${keys.areThere ? '; s signs, r runs again, q ends' : ''}`)
    const mode = describeDevMode(environment)
    if (mode !== undefined) terminal.print(mode)
    if (loop.again !== undefined) await runAgain(loop)
    for (;;) {
      // Changes come first, so that a key never applies to text that was not checked.
      if (watch.isDirty()) {
        const states = await readStates(await library.open(project), watch)
        const changed = [...states].filter(([ref, state]) => known.get(ref) !== state).map(([ref]) => ref)
        for (const ref of loop.toSign) if (!states.has(ref)) loop.toSign.delete(ref)
        known = states
        if (changed.length > 0) await checkAll(loop, changed)
      }
      for (const key of keys.take()) {
        if (key === 'q') return 0
        if (key === CTRL_C) return INTERRUPTED
        if (key === 'r') await chooseAndRun(loop)
        if (key === 's') await signAll(loop)
      }
      if (interruption.signal.aborted) return interruption.status()!
      await pause(LOOK_EVERY_MS, undefined, { signal: interruption.signal }).catch(() => {})
    }
  } finally {
    interruption.stop()
    keys.close()
    watch.close()
    await library.close()
  }
}

interface Loop {
  readonly terminal: Terminal
  readonly checking: Checking
  readonly input: DevInput
  /**
   * The item that is run after each change. Undefined until the person has named one, or asked for it with a
   * key.
   */
  again: string | undefined
  /** Valid items that wait for the person to press the key. */
  readonly toSign: Set<string>
  readonly signal: AbortSignal
}

/**
 * Items of the project, and the files beside tools, each with a state that changes when it is written. The
 * watch starts before they are read.
 */
async function readStates(
  workspace: Workspace,
  watch: ReturnType<typeof watchRoots>,
): Promise<Map<string, string>> {
  watch.rearm(workspace.roots.filter(({ space }) => space === 'project'))
  const { items, skipped } = workspace.list(ITEM_TYPES)
  const found = [...items, ...usedHelpers(workspace, skipped)]
  const own = found.filter(({ entry }) => entry.space === 'project')
  return new Map(
    own.map(({ entry }) => {
      const { size, inode, mtimeMs, ctimeMs } = entry
      return [`${entry.type}:${entry.id}@project`, [size, inode, mtimeMs, ctimeMs].join()]
    }),
  )
}

async function checkAll(loop: Loop, refs: readonly string[]): Promise<void> {
  const { terminal, checking, toSign } = loop
  const states: string[] = []
  for (const ref of refs) {
    const { lines, state } = await checkItem(checking, ref)
    for (const line of lines) terminal.print(line)
    if (state === 'own') toSign.add(ref)
    else toSign.delete(ref)
    states.push(state)
  }
  if (toSign.size > 0) terminal.print(`press s to sign ${[...toSign].join(', ')}`)
  else if (states.every(state => state === 'usable')) await runAgain(loop)
}

async function signAll(loop: Loop): Promise<void> {
  const { terminal, checking, toSign } = loop
  const refs = [...toSign]
  toSign.clear()
  for (const ref of refs) {
    const input = { item_id: ref, project_path: checking.project }
    const { failed, answer } = await callAction(checking.library, 'sign', input)
    if (failed) terminal.say(renderFailure(answer))
    else terminal.print(renderAnswer('sign', answer, terminal))
  }
  // Signing writes the file, which counts as a change, and that change runs the call again.
}

/** The key was pressed: runs what was named, or what was last run in this project. */
async function chooseAndRun(loop: Loop): Promise<void> {
  const { terminal, checking, input } = loop
  if (input.item_id === undefined) {
    const last = await findLastRun(checking, {
      hasParameters: (input.parameters ?? input.param) !== undefined,
    })
    if ('fault' in last) return terminal.say(last.fault)
    loop.again = last.item
  }
  await runAgain(loop)
}

async function runAgain({ terminal, checking, input, signal, again: item_id }: Loop): Promise<void> {
  const { parameters, param } = input
  if (item_id === undefined) return
  terminal.print(terminal.style.dim(`$ rye execute ${item_id}`))
  const call = {
    item_id,
    project_path: checking.project,
    ...(parameters && { parameters }),
    ...(param && { param }),
  }
  const { failed, answer } = await callAction(checking.library, 'execute', call, signal)
  if (failed) terminal.say(renderFailure(answer))
  else terminal.print(renderAnswer('execute', answer, terminal))
}
