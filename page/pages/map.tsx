// The library as a map: categories are circles, items are dots, references are lines.
import { useMemo } from 'preact/hooks'
import type { ReferenceMap } from '../../src/surfaces/ui/reference-map.ts'
import { references } from '../connection.ts'
import { MapView } from '../map/map-view.tsx'
import { Empty, Sorry, Type, Waiting } from '../parts/basics.tsx'
import { useAsked, usePage, useParams } from '../state.tsx'

export function MapPage() {
  const { project } = usePage()
  const [params, change] = useParams()
  const { answer, failure } = useAsked(signal => references(project, signal), ['map', project], ['items'])
  const withSystem = params.system === 'yes'
  const shown = useMemo(() => answer && chooseItems(answer, withSystem), [answer, withSystem])
  if (failure) return <Sorry failure={failure} />
  return (
    <>
      <header class="page-head">
        <h1>Map</h1>
        <label>
          <input
            type="checkbox"
            checked={withSystem}
            onChange={() => change({ system: withSystem ? '' : 'yes' })}
          />{' '}
          with what comes with rye
        </label>
        <p class="legend">
          {['directive', 'tool', 'knowledge', 'skill'].map(type => (
            <Type key={type} type={type} />
          ))}
        </p>
      </header>
      {!shown ? (
        <Waiting lines={8} />
      ) : shown.items.length === 0 ? (
        <Empty title="The project has no items of its own yet">
          <p>
            Make one with <code>rye new tool ops/hello</code>, or show what comes with rye.
          </p>
        </Empty>
      ) : (
        <MapView map={shown} />
      )}
    </>
  )
}

function chooseItems({ items, references }: ReferenceMap, withSystem: boolean): ReferenceMap {
  if (withSystem) return { items, references }
  const kept = items.flatMap((item, index) => (item.space === 'system' ? [] : [index]))
  const position = new Map(kept.map((index, at) => [index, at]))
  return {
    items: kept.map(index => items[index]!),
    references: references.flatMap(([from, to]): [number, number][] => {
      const [a, b] = [position.get(from), position.get(to)]
      return a === undefined || b === undefined ? [] : [[a, b]]
    }),
  }
}
