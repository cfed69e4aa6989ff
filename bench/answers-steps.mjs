// Steps that the task scripts share. Each throws when an agent could not go on from there.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Finds the hit that an agent would take. It must be among the results, at any rank. */
export async function find(side, query, item_type, id) {
  const { data, text } = await side.call('search', { query, item_type })
  const hit = data.results?.find(result => id.test(result.id))
  if (hit === undefined) throw new Error(`search found no ${id}: ${text.slice(0, 200)}`)
  return hit
}

/**
 * Loads the full parameters, unless the hit already names all those needed and none of them is a list or an
 * object.
 */
export async function learnUnless(side, { id, parameters = '' }, names) {
  const isPlain = name => new RegExp(`\\b${name}\\??: [a-z|]+(, | =|$)`).test(parameters)
  if (!names.every(isPlain) || /object/.test(parameters)) await learn(side, id)
}

/**
 * Loads the full parameters. A server whose `load` has no summaries answers with the source, which has them
 * too.
 */
export function learn(side, id) {
  const short = side.tool('load').inputSchema.properties.view !== undefined
  return use(side, 'load', { item_id: `tool:${id}`, ...(short && { view: 'summary' }) })
}

/** Runs an item. An agent that knows no items can only use parameter names that an answer has shown it. */
export function run(side, item_id, parameters = {}) {
  const unknown = Object.keys(parameters).filter(name => !side.wasShown(name))
  if (unknown.length > 0) throw new Error(`no answer has named ${unknown.join(', ')} of ${item_id}`)
  return use(side, 'execute', { item_id, ...(Object.keys(parameters).length > 0 && { parameters }) })
}

export function read(side, project, path, more = {}) {
  return use(side, 'read_text_file', { path: join(project, path), ...more })
}

export async function use(side, name, input) {
  const { text, failed } = await side.call(name, input)
  if (failed) throw new Error(text)
  return text
}

/** A call with a deliberate mistake, which must be reported as a failure. */
export async function refused(side, name, input) {
  const answer = await side.call(name, input).catch(thrown => ({ text: thrown.message, failed: true }))
  if (!answer.failed) throw new Error(`expected a refusal, got ${answer.text.slice(0, 200)}`)
  return answer
}

/** Checks that the answer has a word that the next call needs. */
export function named(text, word) {
  if (!text.includes(word)) throw new Error(`the answer does not name ${word}: ${text.slice(0, 200)}`)
  return word
}

export function fileOf(project, path) {
  const file = join(project, path)
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}
