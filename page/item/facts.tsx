// What an item says about itself: parameters as a table, what the sandbox would let it do, and the rest of its metadata.
import type { ShowAnswer } from 'ryekit'
import { Foreign } from '../parts/basics.tsx'
import { Scroller } from '../parts/scroller.tsx'
import { readSchema, schemaOf } from '../run/schema.ts'

export function Parameters({ item }: { item: ShowAnswer }) {
  const fields = readSchema(schemaOf(item.metadata))
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
                  <code>{field.name}</code>
                  {field.isRequired && (
                    <span class="required" title="required">
                      *<span class="visually-hidden"> required</span>
                    </span>
                  )}
                </td>
                <td>
                  {field.choices
                    ? field.choices.map(choice => JSON.stringify(choice)).join(' | ')
                    : field.kind}
                </td>
                <td>
                  <Foreign text={field.about} />
                  {field.initial !== undefined && (
                    <span class="faint"> default {JSON.stringify(field.initial)}</span>
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
  const { network, write, limits } = permissionsOf(item.metadata)
  return (
    <section class="card">
      <h2>What the sandbox lets it do</h2>
      <ul class="plain">
        <li>{saysNetwork(network)}</li>
        <li>
          Writes to the project{write.length > 0 ? ` and to ${write.join(', ')}` : ', and nowhere else'}.
        </li>
        {limits.map(([name, value]) => (
          <li key={name}>
            At most {String(value)} {name.replace('_mb', ' in MB')}.
          </li>
        ))}
      </ul>
      <p class="faint small">Where a sandbox is found on this machine; without one, everything is open.</p>
    </section>
  )
}

interface Permitted {
  readonly network: unknown
  readonly write: readonly string[]
  readonly limits: readonly (readonly [string, unknown])[]
}

export function permissionsOf(metadata: Readonly<Record<string, unknown>>): Permitted {
  const config = isObject(metadata.config) ? metadata.config : {}
  const declared = isObject(metadata.permissions) ? metadata.permissions : config.permissions
  const { network, write, limits } = isObject(declared) ? declared : {}
  return {
    network,
    write: Array.isArray(write) ? write.map(String) : [],
    limits: isObject(limits) ? Object.entries(limits) : [],
  }
}

function saysNetwork(network: unknown): string {
  if (network === true) return 'Reaches the public web.'
  if (Array.isArray(network) && network.length > 0) return `Reaches ${network.map(String).join(', ')}.`
  return 'Reaches no network.'
}

/** Shown in a place of their own. */
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
])

export function Facts({ item }: { item: ShowAnswer }) {
  const shown = Object.entries(item.metadata).filter(
    ([key, value]) => !ELSEWHERE.has(key) && !/^[A-Z][A-Z0-9_]*$/.test(key) && !isEmpty(value),
  )
  return (
    <section class="card">
      <h2>Details</h2>
      <dl class="facts">
        {shown.map(([key, value]) => (
          <div key={key}>
            <dt>{key.replaceAll('_', ' ')}</dt>
            <dd>
              <Foreign text={printFact(value)} />
            </dd>
          </div>
        ))}
        <div>
          <dt>file</dt>
          <dd class="path">{item.path}</dd>
        </div>
      </dl>
    </section>
  )
}

function printFact(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value) && value.every(entry => typeof entry === 'string')) return value.join(', ')
  return JSON.stringify(value)
}

function isEmpty(value: unknown): boolean {
  return value === '' || value === null || (typeof value === 'object' && Object.keys(value).length === 0)
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
