// The map as a list, for people who cannot see it or prefer not to: each category with its items.
import { useState } from 'preact/hooks'
import type { ReferenceMap } from '../../src/surfaces/ui/reference-map.ts'
import { Go, Name, Type, useLinks } from '../parts/basics.tsx'
import type { Cluster, MapLayout } from './layout.ts'

type MapItem = ReferenceMap['items'][number]

export function MapList({ map, layout: { clusters, dots } }: { map: ReferenceMap; layout: MapLayout }) {
  return (
    <details class="map-list">
      <summary class="map-summary">The same as a list</summary>
      <ul class="columns">
        {clusters.map((cluster, position) => (
          <li key={cluster.name}>
            <ClusterItems
              cluster={cluster}
              list={() => map.items.filter((_, index) => dots[index]!.cluster === position)}
            />
          </li>
        ))}
      </ul>
    </details>
  )
}

/** There may be thousands, so they are only listed when someone opens the category. */
function ClusterItems({ cluster, list }: { cluster: Cluster; list: () => readonly MapItem[] }) {
  const [isOpen, setOpen] = useState(false)
  const links = useLinks()
  return (
    <details onToggle={event => setOpen(event.currentTarget.open)}>
      <summary class="map-summary">
        {cluster.name} <span class="faint">{cluster.count}</span>
      </summary>
      {isOpen && (
        <ul class="plain">
          {list().map(({ item_type: type, item_id: id, space }) => (
            <li key={`${type}:${id}@${space}`}>
              <Type type={type} />{' '}
              <Go to={links.item({ type, id, space })}>
                <Name text={id} />
              </Go>
            </li>
          ))}
        </ul>
      )}
    </details>
  )
}
