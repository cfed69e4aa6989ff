// The page: one shell, and in it the page that the address names.
import { render } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { Failure } from 'ryekit'
import { type Address, addressIn, projectOf } from './address.ts'
import { type About, type Connection, enter, follow, isFailure } from './connection.ts'
import { ItemPage } from './pages/item.tsx'
import { MapPage } from './pages/map.tsx'
import { OverviewPage } from './pages/overview.tsx'
import { ReviewPage } from './pages/review.tsx'
import { RunPage } from './pages/run.tsx'
import { RunsPage } from './pages/runs.tsx'
import { SearchPage } from './pages/search.tsx'
import { Foreign, Missing, Sorry } from './parts/basics.tsx'
import { Shell } from './parts/shell.tsx'
import { Here, type PageState, State, SummaryProvider, useAddress, useHere } from './state.tsx'

const PAGES: Readonly<Record<string, () => preact.JSX.Element>> = {
  overview: OverviewPage,
  search: SearchPage,
  item: ItemPage,
  review: ReviewPage,
  runs: RunsPage,
  run: RunPage,
  map: MapPage,
}

function Page({ about }: { about: About }) {
  const [address, go] = useAddress()
  const project = projectOf(address, about.projects.length)
  if (project === undefined) return <NoProject about={about} address={address} />
  return <ProjectPage {...{ about, address, go, project }} />
}

interface ProjectPageProps {
  readonly about: About
  readonly address: Address
  readonly go: PageState['go']
  readonly project: number
}

function ProjectPage({ about, address, go, project }: ProjectPageProps) {
  const [versions, setVersions] = useState<Record<string, number>>({})
  const [connection, setConnection] = useState<Connection>('live')
  // A browser opens six connections to a server, for all of its tabs together, so hidden tabs keep none.
  const isSeen = useVisible()
  useEffect(() => {
    if (!isSeen) return
    const leaving = new AbortController()
    void follow(project, leaving.signal, (changed, state) => {
      setConnection(state)
      if (changed.length === 0) return
      setVersions(before => {
        const next = { ...before }
        for (const kind of changed) next[kind] = (next[kind] ?? 0) + 1
        return next
      })
    })
    return () => leaving.abort()
  }, [project, isSeen])
  const state = useMemo(() => ({ about, project, go, versions }), [about, project, go, versions])
  const Content = PAGES[address.page] ?? Nowhere
  return (
    <State.Provider value={state}>
      <Here.Provider value={address}>
        <SummaryProvider key={project}>
          <Shell connection={connection}>
            <Content key={`${address.page} ${project}`} />
          </Shell>
        </SummaryProvider>
      </Here.Provider>
    </State.Provider>
  )
}

function useVisible(): boolean {
  const [isSeen, setSeen] = useState(!document.hidden)
  useEffect(() => {
    const look = () => setSeen(!document.hidden)
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [])
  return isSeen
}

function Nowhere() {
  return <Missing title={`There is no page “${useHere().page}”`} />
}

/** A bookmarked address may belong to a server that was started for other projects. */
function NoProject({ about, address }: { about: About; address: Address }) {
  useEffect(() => {
    document.title = 'No such project · rye'
  }, [])
  const { page, params } = address
  return (
    <main class="alone">
      <h1>rye</h1>
      <p class="notice notice-bad" role="alert">
        The address names project “<Foreign text={params.project ?? ''} />
        ”, which this server does not show. It was started for{' '}
        {about.projects.length === 1 ? 'this one' : 'these'}:
      </p>
      <ul class="plain">
        {about.projects.map(({ name, path }, index) => (
          <li key={path}>
            <a href={addressIn(page, index)}>{name}</a> <span class="faint path">{path}</span>
          </li>
        ))}
      </ul>
    </main>
  )
}

function Refused({ failure }: { failure: Failure }) {
  return (
    <main class="alone">
      <h1>rye</h1>
      <Sorry failure={failure} />
    </main>
  )
}

/** Until the server has said what it shows, the frame in `index.html` is visible. */
async function start(): Promise<void> {
  const state = await enter()
  const page = document.getElementById('page')!
  // Where the keyboard stops first: these elements are the same in the frame and in a page.
  const stops = () => Array.from(page.querySelectorAll<HTMLElement>('.shell a, #content'))
  const place = stops().indexOf(document.activeElement as HTMLElement)
  // Emptied first: `Refused` has another structure, and would be drawn above the frame.
  page.replaceChildren()
  render(isFailure(state) ? <Refused failure={state} /> : <Page about={state} />, page)
  stops()[place]?.focus({ preventScroll: true })
}

void start()
