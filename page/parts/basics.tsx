// Small parts that every page uses.
import { type ComponentChildren, Fragment } from 'preact'
import { useMemo } from 'preact/hooks'
import type { Failure, Verdict } from 'ryekit'
import { type ItemName, itemAddress, printAddress } from '../address.ts'
import { usePage } from '../state.tsx'
import { escapeHidden, showHidden } from '../text/hidden.ts'

/** A link within the page. The browser's own gestures (new tab, new window) still work. */
export function Go({
  to,
  class: name,
  children,
  ...rest
}: {
  to: string
  class?: string
  children: ComponentChildren
  [name: `aria-${string}`]: string | undefined
}) {
  const { go } = usePage()
  const follow = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
    event.preventDefault()
    go(to)
  }
  return (
    <a href={to} class={name} onClick={follow} {...rest}>
      {children}
    </a>
  )
}

/** Links that keep the current project. */
export function useLinks(): Links {
  const { project } = usePage()
  return useMemo(() => linksIn(project), [project])
}

export type Links = ReturnType<typeof linksIn>

function linksIn(project: number) {
  const params: Record<string, string> = project === 0 ? {} : { project: String(project) }
  return {
    page: (page: string, more: Record<string, string> = {}) =>
      printAddress({ page, params: { ...params, ...more } }),
    item: (name: ItemName, more: Record<string, string> = {}) => itemAddress(name, { ...params, ...more }),
  }
}

const TRUST: Readonly<Record<string, { readonly mark: string; readonly word: string }>> = {
  verified: { mark: '✓', word: 'verified' },
  unsigned: { mark: '○', word: 'unsigned' },
  tampered: { mark: '✕', word: 'changed' },
  untrusted: { mark: '!', word: 'untrusted' },
  malformed: { mark: '✕', word: 'malformed' },
}

export function Trust({ status }: { status: string }) {
  const { mark, word } = TRUST[status] ?? { mark: '?', word: status }
  return (
    <span class={`trust trust-${status}`}>
      <span aria-hidden="true">{mark}</span> {word}
    </span>
  )
}

/** The word that the page uses for a status. */
export function trustWord(status: string): string {
  return TRUST[status]?.word ?? status
}

export function Type({ type }: { type: string }) {
  return <span class={`type type-${type}`}>{type}</span>
}

/**
 * With more invisible characters than this, marking each would make more elements than a browser can easily
 * show.
 */
const MOST_MARKED = 100

/** Text from others, with its invisible characters shown. */
export function Foreign({ text }: { text: string }) {
  return <>{foreign(text)}</>
}

/**
 * The same for lists that are drawn with each key press: most texts hide nothing, and need no component of
 * their own.
 */
export function foreign(text: string): ComponentChildren {
  const parts = showHidden(text)
  if (parts.length < 2 && parts[0]?.hidden === undefined) return text
  if (parts.length > 2 * MOST_MARKED) return <span class="hidden-many">{escapeHidden(text)}</span>
  return parts.map((part, index) =>
    part.hidden === undefined ? (
      part.text
    ) : (
      <span key={index} class="hidden-character" title={`invisible character ${part.hidden}`}>
        {part.hidden}
      </span>
    ),
  )
}

/** A sentence from the server, with its quoted parts set as code. */
export function Sentence({ text }: { text: string }) {
  return (
    <>
      {text
        .split(/`([^`]+)`/)
        .map((part, index) =>
          index % 2 === 1 ? (
            <code key={index}>{foreign(part)}</code>
          ) : (
            <Fragment key={index}>{foreign(part)}</Fragment>
          ),
        )}
    </>
  )
}

/** A duration: milliseconds below ten seconds, seconds from there on. */
export function printDuration(ms: number): string {
  return ms < 10_000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(ms < 100_000 ? 1 : 0)} s`
}

/** An id, a category or a path, which may break after each slash. */
export function Name({ text }: { text: string }) {
  return (
    <>
      {text.split(/(?<=\/)/).map((part, index) => (
        <Fragment key={index}>
          {index > 0 && <wbr />}
          <Foreign text={part} />
        </Fragment>
      ))}
    </>
  )
}

/** Shown instead of a page: a heading, and what to do. */
export function Missing({ title, failure }: { title: string; failure?: Failure }) {
  const links = useLinks()
  return (
    <>
      <header class="page-head">
        <h1>
          <Foreign text={title} />
        </h1>
      </header>
      {failure && <Sorry failure={failure} />}
      <p>
        <Go to={links.page('search')}>Look for it in the library</Go>, or go back to the{' '}
        <Go to={links.page('overview')}>overview</Go>.
      </p>
    </>
  )
}

export function Sorry({ failure }: { failure: Failure }) {
  return (
    <div class="notice notice-bad" role="alert">
      <p>
        <Sentence text={failure.error} />
      </p>
      {failure.hint && (
        <p class="faint">
          <Sentence text={failure.hint} />
        </p>
      )}
      {failure.issues && (
        <ul>
          {failure.issues.map(issue => (
            <li key={issue}>
              <Sentence text={issue} />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  )
}

/** A placeholder for what is still loading. */
export function Waiting({ lines = 3 }: { lines?: number }) {
  return (
    <div class="waiting" role="status" aria-label="loading">
      {Array.from({ length: lines }, (_, index) => (
        <span key={index} />
      ))}
    </div>
  )
}

export function Time({ at }: { at: string }) {
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return <>{at}</>
  return (
    <time dateTime={at} title={date.toLocaleString()}>
      {ago(date)}
    </time>
  )
}

const STEPS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

function ago(date: Date): string {
  const seconds = (date.getTime() - Date.now()) / 1000
  const [unit, size] = STEPS.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1]
  if (unit === 'second') return 'just now'
  return new Intl.RelativeTimeFormat('en', { numeric: 'auto' }).format(Math.round(seconds / size), unit)
}

/** What a verdict means, and what to do, in a sentence each. */
export function explainVerdict(
  verdict: Verdict,
  ownerOf: (fingerprint: string) => string,
): { says: string; todo?: string } {
  const { status, signer, by_agent } = verdict
  const who = signer === null ? 'nobody' : signer === 'system' ? 'this package' : ownerOf(signer)
  switch (status) {
    case 'verified':
      if (signer === 'system') return { says: 'Comes with this package, and is exactly what was shipped.' }
      if (by_agent)
        return {
          says: `Signed for an agent in the name of ${who}, and not changed since. Agents may use it.`,
          todo: 'No person was asked, so it does not get what you granted to another item. Read it, and sign it if it is right.',
        }
      return { says: `Signed by ${who}, and not changed since. Agents may use it.` }
    case 'unsigned':
      return {
        says: 'Nobody has signed it. Agents cannot use it.',
        todo: 'Read it, and sign it if it is right.',
      }
    case 'tampered':
      return {
        says: `It was changed after it was signed: the signature on it, in the name of ${who}, does not fit. Agents cannot use it.`,
        todo: 'Read what changed, and sign it again if it is right.',
      }
    case 'untrusted':
      return {
        says: `Signed by ${who}, whom you do not trust for this. Agents cannot use it.`,
        todo: 'Read it and take it over with your own signature, or trust the key with `rye keys trust`.',
      }
    default:
      return {
        says: 'Its signature cannot be read. Agents cannot use it.',
        todo: 'Read it, and sign it anew if it is right.',
      }
  }
}
