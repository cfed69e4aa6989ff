// The same item in several spaces: which one is used, and how any two of them differ.
import type { ShowAnswer } from 'ryekit'
import { Go, Name, Sorry, useLinks, Waiting } from '../parts/basics.tsx'
import { Diff } from '../parts/diff.tsx'
import { useAnswer, useParams } from '../state.tsx'
import { type File, whyNotShown } from './files.tsx'

export function Shadows({ item }: { item: ShowAnswer }) {
  const { item_type: type, item_id: id } = item
  const [params, change] = useParams()
  // Without a space, the name stands for the one that is used, whichever space this item is in.
  const { answer: used } = useAnswer('show', { item_id: `${type}:${id}` })
  const links = useLinks()
  const spaces = used ? [used.space, ...used.shadows.map(({ space }) => space)] : []
  if (spaces.length < 2) return null
  const pairs = spaces.flatMap((left, at) => spaces.slice(at + 1).map(right => [right, left] as const))
  const chosen = pairs.find(pair => pair.join('-') === params.compare)
  return (
    <section class="card shadows-card">
      <h2>In several spaces</h2>
      <ol class="plain shadows">
        {spaces.map((space, index) => (
          <li key={space}>
            {space === item.space ? (
              <strong>{space}</strong>
            ) : (
              <Go to={links.item({ type, space, id })}>{space}</Go>
            )}{' '}
            <span class="faint">{index === 0 ? 'is used' : `shadowed by ${spaces[0]}`}</span>
          </li>
        ))}
      </ol>
      <p class="actions">
        {pairs.map(pair => {
          const isShown = pair === chosen
          return (
            <button
              key={pair.join('-')}
              type="button"
              class="button button-small"
              aria-expanded={isShown}
              onClick={() => change({ compare: isShown ? '' : pair.join('-') })}
            >
              compare {pair[0]} with {pair[1]}
            </button>
          )
        })}
      </p>
      {chosen && <Comparison name={`${type}:${id}`} left={chosen[0]} right={chosen[1]} />}
    </section>
  )
}

/** File by file, since a skill has several. */
function Comparison({ name, left, right }: { name: string; left: string; right: string }) {
  const ours = useAnswer('show', { item_id: `${name}@${left}`, content: true })
  const theirs = useAnswer('show', { item_id: `${name}@${right}`, content: true })
  const failure = ours.failure ?? theirs.failure
  if (failure) return <Sorry failure={failure} />
  if (!ours.answer || !theirs.answer) return <Waiting lines={4} />
  const [before, after] = [ours.answer, theirs.answer].map(({ content }) => content?.files ?? [])
  const paths = [...new Set([...before!, ...after!].map(({ path }) => path))]
  return (
    <>
      {paths.map(path => (
        <section key={path} class="changed-file">
          {paths.length > 1 && (
            <h3>
              <Name text={path} />
            </h3>
          )}
          <Pair
            left={{ title: left, file: before!.find(file => file.path === path) }}
            right={{ title: right, file: after!.find(file => file.path === path) }}
          />
        </section>
      ))}
    </>
  )
}

interface Half {
  readonly title: string
  readonly file: File | undefined
}

function Pair({ left, right }: { left: Half; right: Half }) {
  const unread = [left.file, right.file].find(file => file && file.text === undefined)
  if (unread) return <p class="faint">{whyNotShown(unread)}</p>
  const side = ({ title, file }: Half) => ({ title, text: file?.text ?? '' })
  return <Diff left={side(left)} right={side(right)} />
}
