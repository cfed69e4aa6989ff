// What every part of the page may ask: where we are, what the server says about itself, and answers that stay up to date.
import { createContext } from 'preact'
import { useCallback, useContext, useEffect, useRef, useState } from 'preact/hooks'
import type { Failure, Signatures } from 'ryekit'
import { type Address, printAddress, readAddress } from './address.ts'
import { type About, call, callOnce, type Input, isFailure } from './connection.ts'

export interface PageState {
  readonly about: About
  readonly project: number
  readonly address: Address
  go(address: string, options?: { readonly replace?: boolean }): void
  /** Counts up with each change of its kind. */
  readonly versions: Readonly<Record<string, number>>
}

export const State = createContext<PageState | undefined>(undefined)

export function usePage(): PageState {
  const state = useContext(State)
  if (!state) throw new Error('unreachable: a part outside of the page')
  return state
}

/** The address of this window, and how to change it. */
export function useAddress(): [Address, PageState['go']] {
  const read = () => readAddress(location.pathname, location.search)
  const [address, setAddress] = useState(read)
  useEffect(() => {
    const update = () => setAddress(read())
    addEventListener('popstate', update)
    return () => removeEventListener('popstate', update)
  }, [])
  const go = useCallback<PageState['go']>((target, { replace = false } = {}) => {
    if (replace) history.replaceState(null, '', target)
    else {
      history.pushState(null, '', target)
      scrollTo(0, 0)
    }
    setAddress(read())
  }, [])
  return [address, go]
}

/** Changes some parameters of the address, in place. */
export function useParams(): [Address['params'], (changes: Readonly<Record<string, string>>) => void] {
  const { address, go } = usePage()
  const change = (changes: Readonly<Record<string, string>>) =>
    go(printAddress({ ...address, params: { ...address.params, ...changes } }), { replace: true })
  return [address.params, change]
}

export interface Asked<T> {
  /** The last answer, also while a newer one is on its way. */
  readonly answer: T | undefined
  readonly failure: Failure | undefined
  readonly isWaiting: boolean
}

/** What several parts ask for at once, and what is heavy to answer. */
const SHARED: ReadonlySet<string> = new Set(['verify', 'list', 'doctor', 'keys list'])

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

export function useAsked<T extends object>(
  ask: ((signal: AbortSignal) => Promise<T | Failure>) | undefined,
  question: readonly unknown[],
  kinds: readonly string[],
): Asked<Exclude<T, Failure>> {
  const { versions } = usePage()
  const [state, setState] = useState<Asked<Exclude<T, Failure>>>({
    answer: undefined,
    failure: undefined,
    isWaiting: true,
  })
  const asked = useRef('')
  const key = JSON.stringify(question)
  useEffect(() => {
    if (!ask) return
    const abort = new AbortController()
    // The answer to another question is not shown as the answer to this one, but stays until there is one.
    if (asked.current.split('\n')[0] !== String(question[0]))
      setState({ answer: undefined, failure: undefined, isWaiting: true })
    else setState(before => ({ ...before, isWaiting: true }))
    asked.current = `${question[0]}\n${key}`
    ask(abort.signal).then(
      answer => {
        if (abort.signal.aborted) return
        if (isFailure(answer)) setState({ answer: undefined, failure: answer, isWaiting: false })
        // What is no failure is the answer.
        else setState({ answer: answer as Exclude<T, Failure>, failure: undefined, isWaiting: false })
      },
      () => {},
    )
    return () => abort.abort()
  }, [key, ask === undefined, ...kinds.map(kind => versions[kind] ?? 0)])
  return state
}
