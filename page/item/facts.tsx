// What an item says about itself: its parameters as a table, what the sandbox would let it do, and its other
// metadata.
import type { ShowAnswer } from 'ryekit'
import { Foreign, Name } from '../parts/basics.tsx'
import { Scroller } from '../parts/scroller.tsx'
import { listHosts, listLimits, listOthers, listVariables } from '../review/compare-needs.ts'
import { listFields, printKind, readSchema, schemaOf } from '../run/schema.ts'

const LONGEST_LEAD = 1000

/** What the item says it is for; empty if that is just its own name. */
export function leadOf({ item_id, metadata }: Pick<ShowAnswer, 'item_id' | 'metadata'>): string {
  const lead = String(metadata.description ?? metadata.title ?? '').slice(0, LONGEST_LEAD)
  return lead === nameIn(item_id) ? '' : lead
}

function nameIn(id: string): string {
  return id.slice(id.lastIndexOf('/') + 1)
}

export function Parameters({ item }: { item: ShowAnswer }) {
  const fields = listFields(readSchema(schemaOf(item.metadata)))
  if (fields.length === 0) return null
  return (
    <section class="card">
      <h2>Parameters</h2>
      <Scroller class="table-frame" label="Parameters">
        <table class="parameters">
          <thead>
            <tr>
              <th scope="col">name</th>
              <th scope="col">type</th>
              <th scope="col">meaning</th>
            </tr>
          </thead>
          <tbody>
            {fields.map(field => (
              <tr key={field.name}>
                <td>
                  <code>
                    <Foreign text={field.name} />
                  </code>
                  {field.isRequired && (
                    <span class="required" title="required">
                      *<span class="visually-hidden"> required</span>
                    </span>
                  )}
                </td>
                <td>
                  <Foreign
                    text={
                      field.choices?.map(choice => JSON.stringify(choice)).join(' | ') ?? printKind(field)
                    }
                  />
                </td>
                <td>
                  <Foreign text={field.about} />
                  {field.initial !== undefined && (
                    <span class="faint">
                      {' '}
                      default <Foreign text={JSON.stringify(field.initial)} />
                    </span>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroller>
    </section>
  )
}

export function Permissions({ item }: { item: ShowAnswer }) {
  const needs = item.content?.needs
  if (!needs) return null
  const { write, limits, secrets, faults } = needs
  const hosts = listHosts(needs)
  const given = [...listVariables(needs), ...secrets, ...listOthers(needs)]
  return (
    <section class="card">
      <h2>What the sandbox lets it do</h2>
      <ul class="plain">
        {faults.map(fault => (
          <li key={fault} class="warn">
            <Foreign text={fault} />
          </li>
        ))}
        <li>
          {hosts.length === 0 ? (
            'Reaches no network.'
          ) : (
            <>
              Reaches <Foreign text={hosts.join(', ')} />.
            </>
          )}
        </li>
        <li>
          Writes to the project
          {write.length > 0 ? (
            <>
              {' '}
              and to <Foreign text={write.join(', ')} />.
            </>
          ) : (
            ', and nowhere else.'
          )}
        </li>
        {given.length > 0 && (
          <li>
            Is given <Foreign text={given.join(', ')} />.
          </li>
        )}
        {listLimits(limits).map(limit => (
          <li key={limit}>Has at most {limit}.</li>
        ))}
      </ul>
      <p class="faint small">Where a sandbox is found on this machine; without one, everything is open.</p>
    </section>
  )
}

/** Metadata shown elsewhere on the page. */
const ELSEWHERE = new Set([
  'description',
  'config_schema',
  'parameters',
  'input_schema',
  'inputs',
  'permissions',
  'name',
  'id',
  'body',
  'raw',
  'content',
  'entry',
  'actions',
])

export function Facts({ item }: { item: ShowAnswer }) {
  // Values already shown elsewhere on the page are not repeated.
  const shownElsewhere = new Set<unknown>([leadOf(item), nameIn(item.item_id)])
  const shown = Object.entries(item.metadata).filter(
    ([key, value]) =>
      !ELSEWHERE.has(key) && !/^[A-Z][A-Z0-9_]*$/.test(key) && !isEmpty(value) && !shownElsewhere.has(value),
  )
  return (
    <section class="card">
      <h2>Details</h2>
      <dl class="facts">
        {shown.map(([key, value]) => (
          <div key={key}>
            <dt>{key.replaceAll('_', ' ')}</dt>
            <dd>
              <Name text={cut(printFact(value))} />
            </dd>
          </div>
        ))}
        <div>
          <dt>file</dt>
          <dd class="path">
            <Name text={item.path} />
          </dd>
        </div>
      </dl>
    </section>
  )
}

const LONGEST = 2000

function cut(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)} …` : text
}

function printFact(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value) && value.every(entry => typeof entry === 'string')) return value.join(', ')
  return JSON.stringify(value)
}

function isEmpty(value: unknown): boolean {
  return value === '' || value === null || (typeof value === 'object' && Object.keys(value).length === 0)
}
