// Talks to the server: single calls, long work line by line, and changes. Failures are answers, as
// everywhere.
import type { Failure, Progress, SearchAnswer, Signatures } from 'ryekit'
import type { ReferenceMap } from '../src/surfaces/ui/reference-map.ts'
import type { Typed } from '../src/surfaces/ui/search-types.ts'
import type { LockedSources, Summary } from '../src/surfaces/ui/summary-types.ts'

export type Answer<Name extends keyof Signatures> = Signatures[Name]['answer'] | Failure
export type Input<Name extends keyof Signatures> = Omit<Signatures[Name]['input'], 'project_path'>

export interface About {
  readonly version: string
  readonly read_only: boolean
  readonly projects: readonly { readonly name: string; readonly path: string }[]
}

const STORED = 'rye-key'

/**
 * The address brings the key once; it is stored for this origin and removed from the address. Any page can
 * link here with a made-up key, so a key that the server does not know never replaces the stored one.
 */
export async function enter(): Promise<About | Failure> {
  const key = /^#key=([\w-]+)$/.exec(location.hash)?.[1]
  if (key === undefined) return about()
  const before = localStorage.getItem(STORED)
  localStorage.setItem(STORED, key)
  history.replaceState(null, '', location.pathname + location.search)
  const state = await about()
  if (!isFailure(state) || before === null) return state
  localStorage.setItem(STORED, before)
  return about()
}

export function isFailure(answer: object): answer is Failure {
  return 'status' in answer && answer.status === 'error' && 'error' in answer
}

async function about(): Promise<About | Failure> {
  return ask('/api/about', {})
}

export async function call<Name extends keyof Signatures>(
  action: Name,
  project: number,
  input: Input<Name>,
  signal?: AbortSignal,
): Promise<Answer<Name>> {
  return ask('/api/call', { action, project, input }, signal)
}

const underWay = new Map<string, Promise<object>>()

/** The same call, shared by all parts of the page that make it at the same moment. */
export async function callOnce<Name extends keyof Signatures>(
  action: Name,
  project: number,
  input: Input<Name>,
  moment: string,
): Promise<Answer<Name>> {
  const key = JSON.stringify([action, project, input, moment])
  const asked = underWay.get(key) ?? call(action, project, input).finally(() => underWay.delete(key))
  underWay.set(key, asked)
  // The call has this name, since that is part of the key.
  return asked as Promise<Answer<Name>>
}

export type TypedAnswer = SearchAnswer & Typed

export interface TypedQuestion {
  readonly input: Input<'search'>
  /** The chosen value of each facet. */
  readonly chosen: Readonly<Record<string, string>>
  /** Whether all values of each facet are returned, or a few. */
  readonly most: 'few' | 'all'
  /** Whether an empty answer suggests other queries, which takes longer than a search. */
  readonly hints: boolean
  /** Whether to wait for a slow shared catalogue. */
  readonly patient: boolean
}

/** A search while someone types. */
export async function search(
  project: number,
  question: TypedQuestion,
  signal?: AbortSignal,
): Promise<TypedAnswer | Failure> {
  return ask('/api/search', { project, ...question }, signal)
}

export async function summary(project: number, signal?: AbortSignal): Promise<Summary | Failure> {
  return ask('/api/summary', { project }, signal)
}

export async function lockedSources(project: number, signal?: AbortSignal): Promise<LockedSources | Failure> {
  return ask('/api/sources', { project }, signal)
}

export async function references(project: number, signal?: AbortSignal): Promise<ReferenceMap | Failure> {
  return ask('/api/references', { project }, signal)
}

export interface LongWork {
  readonly signal: AbortSignal
  readonly onProgress: (progress: Progress) => void
  /** Lines that a tool wrote, as they come. */
  readonly onOutput: (lines: readonly string[]) => void
}

/** Aborting the signal ends the work on the server too. */
export async function run<Name extends keyof Signatures>(
  action: Name,
  project: number,
  input: Input<Name>,
  { signal, onProgress, onOutput }: LongWork,
): Promise<Answer<Name>> {
  let answer: Answer<Name> | undefined
  const failure = await readLines('/api/run', { action, project, input }, signal, line => {
    if ('progress' in line) onProgress((line as { progress: Progress }).progress)
    else if ('output' in line) onOutput((line as { output: string[] }).output)
    else answer = (line as { answer: Answer<Name> }).answer
  })
  return failure ?? answer ?? broken(signal)
}

/**
 * `refused`: the server was started after this page was opened, so the page has to be let in again. `gone`:
 * the server is there, but the folder of the project is not.
 */
export type Connection = 'live' | 'away' | 'refused' | 'gone'

const LOST: Readonly<Record<string, Connection>> = { POLICY_DENIED: 'refused', PROJECT_NOT_FOUND: 'gone' }

/** Calls the listener with changes until the signal aborts; reconnects after the server was away. */
export async function follow(
  project: number,
  signal: AbortSignal,
  listener: (changed: readonly string[], state: Connection) => void,
): Promise<void> {
  let wasAway = false
  while (!signal.aborted) {
    const failure = await readLines('/api/changes', { project }, signal, line => {
      listener(
        wasAway ? ['items', 'runs', 'trust', 'sources'] : ((line as { changed?: string[] }).changed ?? []),
        'live',
      )
      wasAway = false
    })
    if (signal.aborted) return
    wasAway = true
    listener([], LOST[failure?.code ?? ''] ?? 'away')
    await new Promise(done => setTimeout(done, 1000))
  }
}

async function send(path: string, body: object, signal?: AbortSignal): Promise<Response> {
  const headers = { 'content-type': 'application/json', 'x-rye-key': localStorage.getItem(STORED) ?? '' }
  return fetch(path, { method: 'POST', headers, body: JSON.stringify(body), ...(signal && { signal }) })
}

/** Only checks that the server answered; the content is trusted to match the caller's types. */
async function ask<T extends object>(path: string, body: object, signal?: AbortSignal): Promise<T | Failure> {
  try {
    const response = await send(path, body, signal)
    if (response.headers.get('content-type')?.startsWith('application/json')) return await response.json()
    return refused(response.status, await response.text())
  } catch (thrown) {
    if (signal?.aborted) throw thrown
    return broken()
  }
}

async function readLines(
  path: string,
  body: object,
  signal: AbortSignal,
  onLine: (line: object) => void,
): Promise<Failure | undefined> {
  try {
    const response = await send(path, body, signal)
    const type = response.headers.get('content-type') ?? ''
    if (type.startsWith('application/json')) return await response.json()
    if (!response.ok || !response.body) return refused(response.status, await response.text())
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      text += read.value
      const lines = text.split('\n')
      text = lines.pop()!
      for (const line of lines) if (line !== '') onLine(JSON.parse(line))
    }
    return undefined
  } catch {
    return broken(signal)
  }
}

function refused(status: number, text: string): Failure {
  const hint =
    status === 401 ? 'start `rye ui` again, and open the address that it prints' : 'reload the page'
  return {
    status: 'error',
    code: 'POLICY_DENIED',
    error: text.trim() || `the server answered ${status}`,
    hint,
  }
}

function broken(signal?: AbortSignal): Failure {
  if (signal?.aborted) return { status: 'error', code: 'EXECUTION_CANCELLED', error: 'it was cancelled' }
  return {
    status: 'error',
    code: 'NOT_AVAILABLE',
    error: 'the server does not answer',
    hint: 'is `rye ui` still running?',
  }
}
