// MCP servers and their items, for people.
import { cell, records } from './columns.ts'
import type { Renderer } from './renderer.ts'

const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(cell) : [])

export const renderMcpAdd: Renderer = (answer, { style }) => {
  const servers = 'servers' in answer ? records(answer.servers) : [answer]
  const lines = servers.flatMap(server => [
    `${style.green('✓')} ${cell(server.server)}`,
    ...texts(server.tools).map(id => `  ${id}`),
    style.dim(`  ${cell(server.note)}`),
  ])
  const failed = records(answer.failed).map(
    ({ name, error }) => `${style.red('✗')} ${cell(name)}: ${cell(error)}`,
  )
  const skipped = records(answer.skipped).map(
    ({ name, reason }) => `- ${cell(name)}: left out, ${cell(reason)}`,
  )
  return [...lines, ...failed, ...skipped, ...nextStep(answer.sign)].join('\n')
}

export const renderMcpList: Renderer = (answer, { style }) => {
  const servers = records(answer.servers)
  if (servers.length === 0) return 'no MCP servers in this project; add one: rye mcp add NAME -- COMMAND...'
  return servers
    .flatMap(({ server, tools }) => [cell(server), ...texts(tools).map(id => style.dim(`  ${id}`))])
    .join('\n')
}

export const renderMcpRefresh: Renderer = (answer, { style }) => {
  const changed = records(answer.changed).flatMap(({ id, diff }) => [
    `~ ${cell(id)}`,
    ...texts(diff).map(line => style.dim(`    ${line}`)),
  ])
  const { unchanged } = answer
  return [
    ...texts(answer.added).map(id => `+ ${id}`),
    ...texts(answer.removed).map(id => `- ${id}`),
    ...changed,
    `${cell(unchanged)} unchanged${answer.applied === true ? '' : '; nothing was written'}`,
    ...nextStep(answer.sign),
  ].join('\n')
}

export const renderMcpRemove: Renderer = answer =>
  texts(answer.removed)
    .map(id => `- ${id}`)
    .join('\n')

/** The answer is the token itself, shown only this once. */
export const renderMcpGrant: Renderer = (answer, { style }) =>
  [
    cell(answer.token),
    style.dim(`for ${cell(answer.name)}, shown only now; its digest is in ${cell(answer.file)}`),
  ].join('\n')

export const renderMcpGrants: Renderer = (answer, { style }) => {
  const grants = records(answer.grants)
  if (grants.length === 0)
    return 'no user has access to the server; grant it with: rye mcp grant NAME --tokens FILE --in DIR'
  return grants
    .flatMap(grant => [
      `${cell(grant.name)}${grant.expired === true ? style.red(' expired') : ''}`,
      ...texts(grant.projects).map(path => style.dim(`  ${path}`)),
      style.dim(`  may ${texts(grant.permissions).join(', ')} in ${texts(grant.spaces).join(', ')}`),
    ])
    .join('\n')
}

export const renderMcpRevoke: Renderer = answer => `- ${cell(answer.revoked)}`

const MOST_COMMANDS = 6

/**
 * Names the items one by one. If that takes too many commands, names their folders, and if even those are too
 * many, uses one pattern: a pattern should cover no more than there is to read.
 */
function nextStep(sign: unknown): string[] {
  const ids = texts(sign)
  if (ids.length === 0) return []
  const folders = [...new Set(ids.map(id => id.replace(/[^/]*$/, '*')))]
  const shown = [ids, folders].find(list => list.length <= MOST_COMMANDS) ?? ['mcp/**']
  const commands = shown.map(id => `rye sign ${id.includes('*') ? `'${id}'` : id}`)
  return ['', `read them, then: ${commands.join(' && ')}`]
}
