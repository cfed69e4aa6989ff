// The frame of every page: links to the other pages, the search field, and the project.
import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { type Address, addressIn, printAddress } from '../address.ts'
import type { Connection } from '../connection.ts'
import { forgetFirst, openFirst } from '../search/first-hit.ts'
import { useHere, usePage, useSummary } from '../state.tsx'
import { countOf } from '../text/count.ts'
import { Go, useLinks } from './basics.tsx'

const PAGES = [
  ['overview', 'Overview'],
  ['search', 'Search'],
  ['review', 'Review'],
  ['runs', 'Runs'],
  ['map', 'Map'],
] as const

export function Shell({ connection, children }: { connection: Connection; children: ComponentChildren }) {
  const { about } = usePage()
  const address = useHere()
  const links = useLinks()
  const waiting = useSummary().answer?.open ?? 0
  const title = titleOf(address)
  useEffect(() => {
    document.title = `${title} · rye`
  }, [title])
  const { page: current } = address
  // Not drawn again for a key press in the search field, which does not change it.
  const side = useMemo(() => <Side {...{ current, waiting, connection }} />, [current, waiting, connection])
  return (
    <div class="shell">
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <header class="top">
        <Go to={links.page('overview')} class="brand" aria-label="rye, overview">
          <img src="/icon.svg" alt="" width="24" height="24" /> <span>rye</span>
        </Go>
        <SearchField />
        <ProjectChoice />
        {about.read_only && <span class="pill">read only</span>}
      </header>
      {side}
      <main id="content" class="content" tabIndex={-1}>
        {connection !== 'live' && <Away connection={connection} />}
        {children}
      </main>
    </div>
  )
}

interface SideProps {
  readonly current: string
  /** The number of items to review. */
  readonly waiting: number
  readonly connection: Connection
}

function Side({ current, waiting, connection }: SideProps) {
  const { about } = usePage()
  const links = useLinks()
  return (
    <nav class="side" aria-label="Pages">
      {PAGES.map(([page, title]) => (
        <Go key={page} to={links.page(page)} aria-current={current === page ? 'page' : undefined}>
          {title}
          {page === 'review' && waiting > 0 && (
            <span class="count" title={`${countOf(waiting, 'item')} to review`}>
              {waiting}
            </span>
          )}
        </Go>
      ))}
      <p class="side-note">
        <span class={connection === 'live' ? 'dot' : 'dot dot-away'} aria-hidden="true" />
        <span role="status">{connection === 'live' ? 'live' : 'not live'}</span>
        <span class="faint">rye {about.version}</span>
      </p>
    </nav>
  )
}

function titleOf({ page, rest, params }: Address): string {
  if (page === 'item') return rest.slice(2).join('/') || 'Item'
  if (page === 'run') return `Run ${params.item ?? ''}`.trim()
  return PAGES.find(([name]) => name === page)?.[1] ?? 'Nothing here'
}

/** An overlay, so that nothing moves when it appears or disappears. */
function Away({ connection }: { connection: Exclude<Connection, 'live'> }) {
  return (
    <p class="away" role="alert">
      {AWAY[connection]}
    </p>
  )
}

const AWAY = {
  away: 'The server is away: what is shown may be old. Is `rye ui` still running?',
  refused: '`rye ui` was restarted: open the address that it printed, and this page continues.',
  gone: 'The folder of this project is gone. Put it back, or start `rye ui` again where it is now.',
}

function SearchField() {
  const { go, project } = usePage()
  const address = useHere()
  const field = useRef<HTMLInputElement>(null)
  const query = address.page === 'search' ? (address.params.q ?? '') : ''
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof HTMLElement && event.target.closest('input, textarea, select')
      if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      field.current?.focus()
      field.current?.select()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
  const type = (q: string) => {
    forgetFirst()
    const params =
      address.page === 'search' ? address.params : project === 0 ? {} : { project: String(project) }
    go(printAddress({ page: 'search', params: { ...params, q } }), {
      replace: address.page === 'search' && 'soon',
    })
  }
  const press = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') {
      document.querySelector<HTMLElement>('.results a')?.focus()
      event.preventDefault()
    } else if (event.key === 'Enter') {
      if (address.page === 'search' && query !== '') openFirst(query)
      else type(field.current?.value ?? '')
    } else if (event.key === 'Escape') {
      if (query === '') field.current?.blur()
      else type('')
    }
  }
  return (
    <search class="search-field">
      <input
        ref={field}
        type="text"
        value={query}
        placeholder="Search the library"
        aria-label="Search the library"
        autocomplete="off"
        spellcheck={false}
        onInput={event => type(event.currentTarget.value)}
        onKeyDown={press}
      />
      <kbd title="press / to search">/</kbd>
    </search>
  )
}

function ProjectChoice() {
  const { about, project, go } = usePage()
  const address = useHere()
  const { projects } = about
  if (projects.length === 1)
    return (
      <span class="project" title={projects[0]!.path}>
        {projects[0]!.name}
      </span>
    )
  return (
    <select
      class="project"
      aria-label="Project"
      value={String(project)}
      onChange={event => go(addressIn(address.page, Number(event.currentTarget.value)))}
    >
      {projects.map(({ name, path }, index) => (
        <option key={path} value={String(index)} title={path}>
          {name}
        </option>
      ))}
    </select>
  )
}
