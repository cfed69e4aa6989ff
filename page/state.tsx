// State for every part of the page: the address, what the server says about itself, and answers that stay up
// to date.
import { type ComponentChildren, createContext } from 'preact'
import { useCallback, useContext, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Failure, Signatures } from 'ryekit'
import type { Summary } from '../src/surfaces/ui/summary-types.ts'
import { type Address, printAddress, readAddress } from './address.ts'
import { type About, call, callOnce, type Input, isFailure, summary } from './connection.ts'

export interface PageState {
  readonly about: About
  readonly project: number
  /** With `soon`, the browser's address changes when typing pauses. */
  go(address: string, options?: { readonly replace?: boolean | 'soon' }): void
  /** Each goes up with every change of its kind. */
  readonly versions: Readonly<Record<string, number>>
}

export const State = createContext<PageState | undefined>(undefined)

export function usePage(): PageState {
  const state = useContext(State)
  if (!state) throw new Error('unreachable: a part outside of the page')
  return state
}

/**
 * A context of its own, because it changes with each key press of a search: parts that do not use it are not
 * drawn again.
 */
export const Here = createContext<Address>({ page: '', rest: [], params: {} })

export function useHere(): Address {
  return useContext(Here)
}

/** The address that is set once typing pauses. Browsers do much work for each change, and refuse too many. */
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

/** The address of this window, and a function to change it. */
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

/**
 * The pressed link is gone, so focus moves to the new content, for people who use a screen reader or the
 * keyboard. Someone who is typing stays in the field.
 */
function leaveLink(): void {
  if (document.activeElement?.closest('input, textarea, select')) return
  document.getElementById('content')?.focus({ preventScroll: true })
}

function currentAddress(): Address {
  const { pathname, search } = upcoming ? new URL(upcoming.target, location.href) : location
  return readAddress(pathname, search)
}

/** Changes some parameters of the address, without a new history entry. */
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
  /** The last answer, kept while a newer one is on its way. */
  readonly answer: T | undefined
  readonly failure: Failure | undefined
  readonly isWaiting: boolean
}

/** Calls that several parts make at once and that are expensive to answer. */
const SHARED: ReadonlySet<string> = new Set(['doctor', 'keys list'])

/** Asks, and asks again when the question changes or anything of these kinds does. */
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
 * A new question cancels the one under way. A change does not: when changes come faster than answers, each
 * answer is shown before the next request.
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
  // A layout effect, so that the request is sent before the frame is painted.
  useLayoutEffect(() => {
    known.current = moment
    if (!isAsked) return
    const ending = new AbortController()
    // The last answer stays until the new one arrives if the question is of the same kind. Otherwise it is
    // removed.
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
        // An answer that is not a failure.
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

/** Asks for the summary once, for all parts. */
export function SummaryProvider({ children }: { children: ComponentChildren }) {
  const { project, versions } = usePage()
  const { page } = useHere()
  // The summary looks at everything. Requested before changes are followed, it would be requested twice.
  const isFollowed = versions.items !== undefined
  const isShown = SUMMARY_PAGES.has(page)
  const isQuiet = useQuiet(QUIET_MS)
  const ask = (signal: AbortSignal) => summary(project, signal)
  const isAsked = isFollowed && (isShown || isQuiet)
  const asked = useAsked(isAsked ? ask : undefined, ['summary', project], ['items', 'trust'])
  return <SummaryState.Provider value={asked}>{children}</SummaryState.Provider>
}

/**
 * The pages that show the summary. Others only show a number from it beside a link, which can wait until
 * nobody types.
 */
const SUMMARY_PAGES: ReadonlySet<string> = new Set(['overview', 'review'])
const QUIET_MS = 1500

/** True once no key has been pressed for this long, and from then on. */
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
