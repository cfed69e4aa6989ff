// What is in the library, and what needs attention first.
import type { Check, McpListAnswer } from 'ryekit'
import type { Summary } from '../../src/surfaces/ui/summary-types.ts'
import { Empty, Foreign, Go, Sorry, Trust, Type, useLinks, Waiting } from '../parts/basics.tsx'
import { Checked, isOffer } from '../parts/checked.tsx'
import { Sources } from '../parts/sources.tsx'
import { useAnswer, usePage, useSummary } from '../state.tsx'
import { countOf } from '../text/count.ts'

const TYPES = ['directive', 'tool', 'knowledge', 'skill']
const SPACES = ['project', 'user', 'system'] as const
const MOST_SHOWN = 8

export function OverviewPage() {
  const { about, project } = usePage()
  const { answer: summary, failure } = useSummary()
  // Waits for the summary: `doctor` looks at everything, and what can be shown at once comes first.
  const doctor = useAnswer('doctor', summary ? {} : undefined, ['trust', 'sources'])
  const servers = useAnswer('mcp list', {}, ['items'])
  // Cards below one that may still grow wait for it, so that nothing moves while someone reads.
  const isKnown = Boolean(summary && (doctor.answer ?? doctor.failure) && (servers.answer ?? servers.failure))
  return (
    <>
      <header class="page-head">
        <h1>{about.projects[project]!.name}</h1>
        <p class="faint path">{about.projects[project]!.path}</p>
      </header>
      {failure && <Sorry failure={failure} />}
      <div class="overview">
        <section class="card wide">
          <h2>Needs attention</h2>
          {summary ? <Attention summary={summary} /> : <Waiting />}
        </section>
        {summary && (
          <>
            <section class="card">
              <h2>Items</h2>
              <Counts counts={summary.counts} />
            </section>
            <section class="card">
              <h2>Trust</h2>
              <TrustBar counts={summary.trust} />
              <Beside counts={summary.beside} />
            </section>
          </>
        )}
        {summary && (
          <section class="card wide">
            <h2>Health</h2>
            {!isKnown ? (
              <Waiting />
            ) : doctor.answer ? (
              <Health checks={doctor.answer.checks.filter(isNoVerdict)} />
            ) : (
              doctor.failure && <Sorry failure={doctor.failure} />
            )}
          </section>
        )}
        {isKnown && (
          <>
            <section class="card wide">
              <h2>MCP servers</h2>
              {servers.answer && summary ? (
                <Servers servers={servers.answer.servers} waiting={summary.servers_waiting} />
              ) : (
                servers.failure && <Sorry failure={servers.failure} />
              )}
            </section>
            <section class="card wide">
              <h2>Sources</h2>
              <Sources />
            </section>
          </>
        )}
      </div>
    </>
  )
}

function Attention({ summary }: { summary: Summary }) {
  const links = useLinks()
  const { waiting, open } = summary
  if (waiting.length === 0)
    return summary.counts.every(({ space }) => space === 'system') ? (
      <Empty title="Nothing of your own yet">
        <p>
          <code>rye new tool hello</code> makes a first tool, <code>rye add SOURCE</code> takes items from
          elsewhere. What agents have meanwhile <Go to={links.page('search')}>comes with rye</Go>.
        </p>
      </Empty>
    ) : (
      <Empty title="Everything is signed by somebody you trust">
        <p class="faint">What changes, or is new, shows up here.</p>
      </Empty>
    )
  return (
    <ul class="rows aligned">
      {waiting.slice(0, MOST_SHOWN).map(({ item_type, item_id, space, status }) => {
        const name = `${item_type}:${item_id}@${space}`
        return (
          <li key={name}>
            <Trust status={status} />
            <Go to={links.page('review', { item: name })} class="row-text">
              {item_id}
            </Go>
            <Type type={item_type} />
          </li>
        )
      })}
      {open > MOST_SHOWN && (
        <li>
          <Go to={links.page('review')} class="row-whole">
            {open - MOST_SHOWN} more to review
          </Go>
        </li>
      )}
    </ul>
  )
}

/** A server is only as good as the worst of its items. */
function Servers({
  servers,
  waiting,
}: {
  servers: McpListAnswer['servers']
  waiting: Summary['servers_waiting']
}) {
  const links = useLinks()
  if (servers.length === 0)
    return (
      <p class="faint">
        None. <code>rye mcp add NAME</code> makes the tools of another MCP server part of the library.
      </p>
    )
  const counted = servers.map(({ name, server, tools }) => {
    const open = [server, ...tools].filter(id => waiting.includes(id)).length
    return { name, server, tools, open }
  })
  return (
    <ul class="rows">
      {counted
        .sort((a, b) => b.open - a.open)
        .map(({ name, server, tools, open }) => (
          <li key={server}>
            {open === 0 ? <Trust status="verified" /> : <span class="pill">{open} to review</span>}
            <Go to={links.item({ type: 'tool', space: 'project', id: server })} class="row-text">
              <Foreign text={name} />
            </Go>
            <span class="faint">{countOf(tools.length, 'tool')}</span>
          </li>
        ))}
    </ul>
  )
}

function Counts({ counts }: { counts: Summary['counts'] }) {
  const links = useLinks()
  const count = (type: string, space: string) =>
    counts.find(one => one.item_type === type && one.space === space)?.count ?? 0
  return (
    <table class="counts">
      <thead>
        <tr>
          <td />
          {SPACES.map(space => (
            <th key={space} scope="col">
              {space}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {TYPES.map(type => (
          <tr key={type}>
            <th scope="row">
              <Go to={links.page('search', { type })}>{type === 'knowledge' ? type : `${type}s`}</Go>
            </th>
            {SPACES.map(space => (
              <td key={space}>
                {count(type, space) === 0 ? (
                  <span class="faint">0</span>
                ) : (
                  <Go
                    to={links.page('search', { type, space })}
                    aria-label={`${count(type, space)} of type ${type} in the ${space} space`}
                  >
                    {count(type, space)}
                  </Go>
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function TrustBar({ counts }: { counts: Readonly<Record<string, number>> }) {
  const links = useLinks()
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  const present = Object.entries(counts).filter(([, count]) => count > 0)
  return (
    <>
      <div class="bar" aria-hidden="true">
        {present.map(([status, count]) => (
          <span key={status} class={`bar-part bar-${status}`} style={{ flexGrow: String(count) }} />
        ))}
      </div>
      <ul class="rows">
        {present.map(([status, count]) => (
          <li key={status}>
            <Trust status={status} />
            <span class="row-text" />
            <Go
              to={links.page('search', { trust: status })}
              aria-label={`${count} of ${total} are ${status}`}
            >
              {count}
            </Go>
          </li>
        ))}
      </ul>
    </>
  )
}

/** Files that are signed like items but appear in no list of items. */
function Beside({ counts }: { counts: Summary['beside'] }) {
  const links = useLinks()
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  const open = total - (counts.verified ?? 0)
  if (total === 0) return null
  return (
    <p class="faint small">
      {countOf(total, 'more file')} that tools import or that hold settings:{' '}
      {open === 0 ? 'verified' : <Go to={links.page('review')}>{open} to review</Go>}.
    </p>
  )
}

/** Unsigned items and the like are left out: they are in the review queue. */
function isNoVerdict({ name }: Check): boolean {
  return !['untrusted', 'unsigned', 'tampered', 'malformed'].includes(name)
}

/** Checks that someone has to decide on come first. */
function Health({ checks }: { checks: readonly Check[] }) {
  const order = { problem: 0, note: 2, ok: 3 }
  const rank = (check: Check) => (isOffer(check) ? 1 : order[check.status])
  return (
    <ul class="rows aligned">
      {[...checks]
        .sort((a, b) => rank(a) - rank(b))
        .map(check => (
          <li key={`${check.name} ${check.message}`}>
            <Checked check={check} />
          </li>
        ))}
    </ul>
  )
}
