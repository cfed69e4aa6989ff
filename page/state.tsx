// What every part of the page may ask: where we are, what the server says about itself, and answers that stay up to date.
import { type ComponentChildren, createContext } from 'preact'
import { useCallback, useContext, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Failure, Signatures } from 'ryekit'
import type { Summary } from '../src/surfaces/ui/summary-types.ts'
import { type Address, printAddress, readAddress } from './address.ts'
import { type About, call, callOnce, type Input, isFailure, summary } from './connection.ts'

export interface PageState {
  readonly about: About
  readonly project: number
  /** `soon`: when the keys rest. */
  go(address: string, options?: { readonly replace?: boolean | 'soon' }): void
  /** Counts up with each change of its kind. */
  readonly versions: Readonly<Record<string, number>>
}

export const State = createContext<PageState | undefined>(undefined)

export function usePage(): PageState {
  const state = useContext(State)
  if (!state) throw new Error('unreachable: a part outside of the page')
  return state
}

/** Apart from the rest: it changes with each key of a search, and what does not depend on it is not drawn again. */
export const Here = createContext<Address>({ page: '', rest: [], params: {} })

export function useHere(): Address {
  return useContext(Here)
}

/** What the address will be once the keys rest: a browser does much for each change, and refuses when there are too many. */
let upcoming: { readonly target: string; readonly timer: ReturnType<typeof setTimeout> } | undefined
const REST_MS = 150

function replaceSoon(target: string): void {
  clearTimeout(upcoming?.timer)
  upcoming = { target, timer: setTimeout(replaceNow, REST_MS) }
}

function replaceNow(): void {
  if (!upcoming) return
  clearTimeout(upcoming.timer)
  history.replaceState(null, '', upcoming.target)
  upcoming = undefined
}

/** The address of this window, and how to change it. */
export function useAddress(): [Address, PageState['go']] {
  const [address, setAddress] = useState(currentAddress)
  useEffect(() => {
    const update = () => {
      clearTimeout(upcoming?.timer)
      upcoming = undefined
      setAddress(currentAddress())
    }
    addEventListener('popstate', update)
    addEventListener('pagehide', replaceNow)
    return () => {
      removeEventListener('popstate', update)
      removeEventListener('pagehide', replaceNow)
    }
  }, [])
  const go = useCallback<PageState['go']>((target, { replace = false } = {}) => {
    if (replace) {
      replaceSoon(target)
      if (replace !== 'soon') replaceNow()
    } else {
      replaceNow()
      history.pushState(null, '', target)
      scrollTo(0, 0)
      leaveLink()
    }
    setAddress(currentAddress())
  }, [])
  return [address, go]
}

/** What was pressed is gone: who reads by ear, or by keys, goes on at the new content. Who types stays in the field. */
function leaveLink(): void {
  if (document.activeElement?.closest('input, textarea, select')) return
  document.getElementById('content')?.focus({ preventScroll: true })
}

function currentAddress(): Address {
  const { pathname, search } = upcoming ? new URL(upcoming.target, location.href) : location
  return readAddress(pathname, search)
}

/** Changes some parameters of the address, in place. */
export function useParams(): [Address['params'], (changes: Readonly<Record<string, string>>) => void] {
  const { go } = usePage()
  const change = useCallback(
    (changes: Readonly<Record<string, string>>) => {
      const address = currentAddress()
      go(printAddress({ ...address, params: { ...address.params, ...changes } }), { replace: true })
    },
    [go],
  )
  return [useHere().params, change]
}

export interface Asked<T> {
  /** The last answer, also while a newer one is on its way. */
  readonly answer: T | undefined
  readonly failure: Failure | undefined
  readonly isWaiting: boolean
}

/** What several parts ask for at once, and what is heavy to answer. */
const SHARED: ReadonlySet<string> = new Set(['doctor', 'keys list'])

/** Asks, and asks again when one of the kinds has changed or the question is another. */
export function useAnswer<Name extends keyof Signatures>(
  action: Name,
  input: Input<Name> | undefined,
  kinds: readonly string[] = ['items', 'trust'],
): Asked<Exclude<Signatures[Name]['answer'], Failure>> {
  const { project, versions } = usePage()
  const moment = kinds.map(kind => versions[kind] ?? 0).join()
  const ask = (signal: AbortSignal) =>
    SHARED.has(action) ? callOnce(action, project, input!, moment) : call(action, project, input!, signal)
  return useAsked(input === undefined ? undefined : ask, [action, project, JSON.stringify(input)], kinds)
}

/**
 * Another question ends the one under way. A change does not: where changes come faster than answers, each answer is shown, and then
 * the next is asked for.
 */
export function useAsked<T extends object>(
  ask: ((signal: AbortSignal) => Promise<T | Failure>) | undefined,
  question: readonly unknown[],
  kinds: readonly string[],
): Asked<Exclude<T, Failure>> {
  const { versions } = usePage()
  const [state, setState] = useState<Asked<Exclude<T, Failure>>>(NOTHING)
  const latest = useRef(ask)
  latest.current = ask
  const before = useRef<unknown>(undefined)
  const refresh = useRef<(() => void) | undefined>(undefined)
  const isAsked = ask !== undefined
  const key = JSON.stringify(question)
  const moment = kinds.map(kind => versions[kind] ?? 0).join()
  const known = useRef(moment)
  // Before the frame is painted: the answer to a key is on its way meanwhile.
  useLayoutEffect(() => {
    known.current = moment
    if (!isAsked) return
    const ending = new AbortController()
    // The answer to a question of another kind is not shown as the answer to this one; that of the same kind stays until there is one.
    if (before.current !== question[0]) setState(NOTHING)
    else setState(last => (last.isWaiting ? last : { ...last, isWaiting: true }))
    before.current = question[0]
    let isUnderWay = false
    let isOutdated = false
    const start = async () => {
      isUnderWay = true
      do {
        isOutdated = false
        const answer = await latest.current!(ending.signal).catch(() => undefined)
        if (ending.signal.aborted || answer === undefined) return
        if (isFailure(answer)) setState({ answer: undefined, failure: answer, isWaiting: false })
        // What is no failure is the answer.
        else setState({ answer: answer as Exclude<T, Failure>, failure: undefined, isWaiting: false })
      } while (isOutdated)
      isUnderWay = false
    }
    refresh.current = () => {
      if (isUnderWay) isOutdated = true
      else void start()
    }
    void start()
    return () => {
      refresh.current = undefined
      ending.abort()
    }
  }, [key, isAsked])
  useEffect(() => {
    if (known.current === moment) return
    known.current = moment
    refresh.current?.()
  }, [moment])
  return state
}

const NOTHING = { answer: undefined, failure: undefined, isWaiting: true } as const

const SummaryState = createContext<Asked<Summary>>(NOTHING)

/** Asked for once, for all parts. */
export function SummaryProvider({ children }: { children: ComponentChildren }) {
  const { project, versions } = usePage()
  const { page } = useHere()
  // It looks at everything: what was asked for before changes are followed would be asked for twice.
  const isFollowed = versions.items !== undefined
  const isShown = SUMMARY_PAGES.has(page)
  const isQuiet = useQuiet(QUIET_MS)
  const ask = (signal: AbortSignal) => summary(project, signal)
  const isAsked = isFollowed && (isShown || isQuiet)
  const asked = useAsked(isAsked ? ask : undefined, ['summary', project], ['items', 'trust'])
  return <SummaryState.Provider value={asked}>{children}</SummaryState.Provider>
}

/** Those that show it; the others have but a number of it beside a link, which comes when nobody types. */
const SUMMARY_PAGES: ReadonlySet<string> = new Set(['overview', 'review'])
const QUIET_MS = 1500

/** True once no key has been pressed for so long, and from then on. */
function useQuiet(ms: number): boolean {
  const [isQuiet, setQuiet] = useState(false)
  useEffect(() => {
    const wait = () => setTimeout(() => setQuiet(true), ms)
    let timer = wait()
    const press = () => {
      clearTimeout(timer)
      timer = wait()
    }
    addEventListener('keydown', press)
    return () => {
      clearTimeout(timer)
      removeEventListener('keydown', press)
    }
  }, [ms])
  return isQuiet
}

export function useSummary(): Asked<Summary> {
  return useContext(SummaryState)
}
