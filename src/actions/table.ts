// Every action, in the order in which help lists them. Each is imported when asked for: start-up imports one.
import type { Action } from './definition/action.ts'
import type { Fields } from './definition/field-spec.ts'
import type { ActionAnswer, ActionName } from './signatures.ts'

export interface ActionEntry {
  readonly name: string
  /** One line, for lists of commands. */
  readonly summary: string
  load(): Promise<Action>
}

interface Row<Name extends ActionName> {
  readonly summary: string
  load(): Promise<Action<Fields, ActionAnswer<Name>>>
}

const TABLE: { readonly [Name in ActionName]: Row<Name> } = {
  search: {
    summary: 'find items by a question, words or an exact query',
    load: async () => (await import('./items/search/definition.ts')).search,
  },
  load: {
    summary: 'read one item after its signature is checked, or copy it to another space',
    load: async () => (await import('./items/load/definition.ts')).load,
  },
  fetch: {
    summary: 'load by id or search by query, in one command',
    load: async () => (await import('./items/fetch.ts')).fetch,
  },
  execute: {
    summary: 'run a tool; get the directions, text or content of other items',
    load: async () => (await import('./items/execute/definition.ts')).execute,
  },
  sign: {
    summary: 'validate and sign an item, or all that a pattern matches',
    load: async () => (await import('./items/sign/definition.ts')).sign,
  },
  verify: {
    summary: 'check signatures of items, files or whole trees',
    load: async () => (await import('./items/verify/definition.ts')).verify,
  },
  merge: {
    summary: "merge two edits of one item, as git's merge driver",
    load: async () => (await import('./items/merge/definition.ts')).merge,
  },
  list: {
    summary: 'list items of all spaces, with what shadows what',
    load: async () => (await import('./items/list.ts')).list,
  },
  show: {
    summary: 'show what is known about one item',
    load: async () => (await import('./items/show.ts')).show,
  },
  parse: {
    summary: 'show how files are parsed',
    load: async () => (await import('./items/parse.ts')).parse,
  },
  index: {
    summary: 'update the search index, rebuild it, or watch for changes',
    load: async () => (await import('./library/index-library.ts')).indexLibrary,
  },
  runs: {
    summary: 'list receipts of runs and check that their log is intact',
    load: async () => (await import('./library/runs.ts')).runs,
  },
  init: {
    summary: 'set up a project: folders, key, first items, settings for your agent',
    load: async () => (await import('./setup/init/definition.ts')).init,
  },
  new: {
    summary: 'create an item from a template',
    load: async () => (await import('./items/new/definition.ts')).newItem,
  },
  edit: {
    summary: 'edit an item in $EDITOR; validate it, show what changed, sign it',
    load: async () => (await import('./items/edit/definition.ts')).edit,
  },
  mv: {
    summary: 'give an item another id or space, sign it again, say who mentions it',
    load: async () => (await import('./items/change/move.ts')).mv,
  },
  rm: {
    summary: 'remove an item; its files are kept elsewhere',
    load: async () => (await import('./items/change/remove.ts')).rm,
  },
  doctor: {
    summary: 'check the installation, keys, trust, index and items',
    load: async () => (await import('./setup/doctor/definition.ts')).doctor,
  },
  eval: {
    summary: 'measure search on judged questions, your own or a set',
    load: async () => (await import('./library/evaluate.ts')).evaluate,
  },
  add: {
    summary: 'take items of a folder, an archive, a repository or a package, after a review',
    load: async () => (await import('./sources/add.ts')).add,
  },
  install: {
    summary: 'put the items of the lock into place, byte for byte',
    load: async () => (await import('./sources/install.ts')).install,
  },
  outdated: {
    summary: 'list the sources of the lock that have something newer',
    load: async () => (await import('./sources/outdated.ts')).outdated,
  },
  update: {
    summary: 'take what sources have newer, after a look at what changed',
    load: async () => (await import('./sources/update.ts')).update,
  },
  remove: {
    summary: 'remove the items of a source',
    load: async () => (await import('./sources/remove.ts')).remove,
  },
  why: {
    summary: 'say where an item came from, and who vouches for it',
    load: async () => (await import('./sources/why.ts')).why,
  },
  review: {
    summary: 'show what to look at in an item, and what differs from what was accepted',
    load: async () => (await import('./sources/review.ts')).review,
  },
  'registry search': {
    summary: 'find bundles of items in an npm registry',
    load: async () => (await import('./registry/search.ts')).registrySearch,
  },
  'registry show': {
    summary: 'show versions, items and signers of a bundle',
    load: async () => (await import('./registry/show.ts')).registryShow,
  },
  'registry pull': {
    summary: 'write the items of a bundle into the project, all or none',
    load: async () => (await import('./sources/pull.ts')).registryPull,
  },
  'registry publish': {
    summary: 'send signed items of the project as a bundle',
    load: async () => (await import('./registry/publish.ts')).registryPublish,
  },
  'registry unpublish': {
    summary: 'remove one version of a bundle from a registry',
    load: async () => (await import('./registry/unpublish.ts')).registryUnpublish,
  },
  'keys generate': {
    summary: 'create your signing key, or import it from an environment variable',
    load: async () => (await import('./setup/keys/generate.ts')).keysGenerate,
  },
  'keys show': {
    summary: 'show your public key',
    load: async () => (await import('./setup/keys/show.ts')).keysShow,
  },
  'keys list': {
    summary: 'list the keys that you trust, for what, and those that are revoked',
    load: async () => (await import('./setup/keys/list.ts')).keysList,
  },
  'keys trust': {
    summary: 'trust the key of an identity document, for everything or within bounds',
    load: async () => (await import('./setup/keys/trust.ts')).keysTrust,
  },
  'keys offer': {
    summary: 'put the public document of your key into the project',
    load: async () => (await import('./setup/keys/offer.ts')).keysOffer,
  },
  'keys export': {
    summary: 'print the public document of a key, to hand to others',
    load: async () => (await import('./setup/keys/export.ts')).keysExport,
  },
  'keys rotate': {
    summary: 'replace your signing key, and sign again what the old one signed',
    load: async () => (await import('./setup/keys/rotate.ts')).keysRotate,
  },
  'keys revoke': {
    summary: 'end the trust in a key for good, or obey a revocation from others',
    load: async () => (await import('./setup/keys/revoke.ts')).keysRevoke,
  },
  'keys remove': {
    summary: 'stop trusting a key',
    load: async () => (await import('./setup/keys/remove.ts')).keysRemove,
  },
  'mcp add': {
    summary: 'wrap MCP servers as items: by a command after `--`, an address, or a settings file of a client',
    load: async () => (await import('./servers/add.ts')).mcpAdd,
  },
  'mcp list': {
    summary: 'list the MCP servers of the project and their tools',
    load: async () => (await import('./servers/list.ts')).mcpList,
  },
  'mcp refresh': {
    summary: 'compare the items of an MCP server with what it offers now',
    load: async () => (await import('./servers/refresh.ts')).mcpRefresh,
  },
  'mcp remove': {
    summary: 'delete the items of an MCP server',
    load: async () => (await import('./servers/remove.ts')).mcpRemove,
  },
  'mcp grant': {
    summary: 'make a token for one user of a server that several share',
    load: async () => (await import('./servers/grant.ts')).mcpGrant,
  },
  'mcp grants': {
    summary: 'list who may use a shared server, and for what',
    load: async () => (await import('./servers/grants.ts')).mcpGrants,
  },
  'mcp revoke': {
    summary: 'end the token of a user of a shared server',
    load: async () => (await import('./servers/revoke.ts')).mcpRevoke,
  },
  'mcp discover': {
    summary: 'list the tools of an MCP server; nothing is written',
    load: async () => (await import('./servers/discover.ts')).mcpDiscover,
  },
  'skills scan': {
    summary: 'read the skills of a directory: metadata, tools, references',
    load: async () => (await import('./skills/scan.ts')).skillsScan,
  },
  'skills index': {
    summary: 'index the skills of a directory, into a file or a LanceDB table',
    load: async () => (await import('./skills/index-skills.ts')).skillsIndex,
  },
  'skills sync': {
    summary: 'update a LanceDB table with what changed in a directory of skills',
    load: async () => (await import('./skills/sync.ts')).skillsSync,
  },
  'skills search': {
    summary: 'find tools of indexed skills that fit a request',
    load: async () => (await import('./skills/search.ts')).skillsSearch,
  },
  'skills validate': {
    summary: 'check skills against the Agent Skills specification',
    load: async () => (await import('./skills/validate.ts')).skillsValidate,
  },
  'skills install': {
    summary: "copy a verified skill into another client's folder",
    load: async () => (await import('./skills/install.ts')).skillsInstall,
  },
  'skills list': {
    summary: 'list skills of the library and of the folders of clients',
    load: async () => (await import('./skills/list.ts')).skillsList,
  },
  'skills remove': {
    summary: "remove installed skills from a client's folder",
    load: async () => (await import('./skills/remove.ts')).skillsRemove,
  },
  'skills sniff': {
    summary: 'tell which skills of the library fit a project',
    load: async () => (await import('./skills/sniff.ts')).skillsSniff,
  },
  'catalogue sync': {
    summary: 'write libraries to a table that others search and load from',
    load: async () => (await import('./catalogue/sync.ts')).catalogueSync,
  },
  'catalogue search': {
    summary: 'search the table of a catalogue',
    load: async () => (await import('./catalogue/search.ts')).catalogueSearch,
  },
  'catalogue status': {
    summary: 'rows, size, age and health of the table of a catalogue',
    load: async () => (await import('./catalogue/status.ts')).catalogueStatus,
  },
  'knowledge scan': {
    summary: 'read the knowledge documents of a directory',
    load: async () => (await import('./skills/knowledge-scan.ts')).knowledgeScan,
  },
}

export const ACTIONS: readonly ActionEntry[] = Object.entries(TABLE).map(([name, row]) => ({ name, ...row }))

export function findAction(name: string): ActionEntry | undefined {
  return ACTIONS.find(entry => entry.name === name)
}
