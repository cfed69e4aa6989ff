// Which hosts a tool may reach: reads `permissions.network`, and decides whether a rule covers a destination.
// Hosts are compared as a URL spells them, so case, a final dot, other alphabets and other spellings of an
// IPv4 address make no difference. A name is resolved only when it is dialled: a rule just says how private
// its address may be.

export interface HostRule {
  /** `any` host, every name `below` one, a `name`, an `address`, or this machine's `loopback`. */
  readonly kind: 'any' | 'below' | 'name' | 'address' | 'loopback'
  readonly host: string
  /** Null for every port. */
  readonly ports: readonly number[] | null
  /** Whether the name may resolve to an address of a private network. */
  readonly isPrivate: boolean
}

/**
 * Where the address of a destination may lie: on the public internet, in private networks too, or exactly
 * where the rule says.
 */
export type Reach = 'public' | 'private' | 'named'

const WEB_PORTS: readonly number[] = [80, 443]
const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])
const MOST_HOSTS = 100
const ENTRY = /^(private:)?(\*|(?:\*\.)?[^\s:*/[\]]{1,253}|\[[0-9a-f:.]{2,45}\])(?::(\d{1,5}|\*))?$/i
const LABELS = /^[a-z0-9_](?:[a-z0-9_-]{0,62})(?:\.[a-z0-9_][a-z0-9_-]{0,62})*$/
const IPV4 = /^\d+(?:\.\d+){3}$/
/** A setting that names the host, so that its signed item decides and not the text of the tool. */
const SETTING = /^\{((?:resolved_config|resolved_items)(?:\.[A-Za-z_]\w{0,63}){1,8})\}$/

export type NetworkDeclaration = { readonly hosts: readonly string[] } | { readonly fault: string }

/** What `permissions.network` declares, each host in one spelling; none if the network is closed. */
export function readNetwork(declared: unknown): NetworkDeclaration {
  if (declared === undefined || declared === null || declared === false) return { hosts: [] }
  if (declared === true) return { hosts: ['*'] }
  if (!Array.isArray(declared)) {
    return { fault: '`permissions.network` must be false or a list of hosts' }
  }
  if (declared.length > MOST_HOSTS) {
    return { fault: `\`permissions.network\`: expected at most ${MOST_HOSTS} hosts, got ${declared.length}` }
  }
  const hosts = new Set<string>()
  for (const [index, entry] of declared.entries()) {
    const read = readEntry(entry)
    if ('fault' in read) return { fault: `\`permissions.network[${index}]\`: ${read.fault}` }
    hosts.add(read.host)
  }
  return { hosts: [...hosts] }
}

/** What is wrong with a list of hosts, and which of them are not plain names of the public internet. */
export function readPublicHosts(declared: readonly string[]): { fault?: string; others: string[] } {
  const read = readNetwork(declared)
  if ('fault' in read) return { fault: read.fault, others: [] }
  const isPublic = (text: string) => {
    const rule = parseHostRule(text)
    return rule !== undefined && !rule.isPrivate && ['any', 'below', 'name'].includes(rule.kind)
  }
  return { others: read.hosts.filter(host => !isPublic(host)) }
}

function readEntry(entry: unknown): { readonly host: string } | { readonly fault: string } {
  if (typeof entry !== 'string') return { fault: 'expected a host such as `api.example.com`' }
  if (SETTING.test(entry)) return { host: entry }
  const shown = `\`${entry.slice(0, 100)}\``
  if (/^[a-z]+:\/\//i.test(entry))
    return { fault: `expected a host without \`https://\` or a path, got ${shown}` }
  const rule = parseHostRule(entry)
  if (rule === undefined) {
    return {
      fault: `expected a host such as \`api.example.com\`, \`*.example.org\` or \`localhost:3000\`, got ${shown}`,
    }
  }
  if (rule.kind === 'loopback' && !(rule.ports?.length === 1 && rule.ports[0]! >= 1024)) {
    return { fault: `${shown} needs a port of 1024 or above, as in \`localhost:3000\`` }
  }
  return { host: printHostRule(rule) }
}

/** Undefined if the text is not a rule. */
export function parseHostRule(text: string): HostRule | undefined {
  const [, prefix, written = '', port] = ENTRY.exec(text) ?? []
  const ports = port === undefined ? WEB_PORTS : port === '*' ? null : [Number(port)]
  if (written === '' || ports?.some(number => number < 1 || number > 65_535)) return undefined
  const isPrivate = prefix !== undefined
  if (written === '*') return isPrivate ? undefined : { kind: 'any', host: '*', ports, isPrivate }
  const isBelow = written.startsWith('*.')
  const host = canonicalHost(isBelow ? written.slice(2) : written)
  if (host === undefined) return undefined
  if (isAddress(host) || host === 'localhost') {
    // No other spelling of an address is accepted: a reader of the entry must see where it leads.
    const isPlain = host === 'localhost' || host.startsWith('[') || host === written
    if (isBelow || isPrivate || !isPlain) return undefined
    if (LOOPBACK.has(host)) return { kind: 'loopback', host: 'localhost', ports, isPrivate }
    return { kind: 'address', host, ports, isPrivate }
  }
  if (!LABELS.test(host)) return undefined
  return { kind: isBelow ? 'below' : 'name', host, ports, isPrivate }
}

export function printHostRule({ kind, host, ports, isPrivate }: HostRule): string {
  const port = ports === null ? ':*' : ports === WEB_PORTS ? '' : `:${ports[0]}`
  return `${isPrivate ? 'private:' : ''}${kind === 'below' ? '*.' : ''}${host}${port}`
}

/** The host as a URL spells it, without a final dot. Undefined if the text is not a host. */
export function canonicalHost(text: string): string | undefined {
  // No character may end the host of a URL, or decode into one that would.
  if (!/^(?:\[[0-9a-f:.]{2,45}\]|[^\s/?#@:\\[\]%<>^|]{1,255})$/i.test(text)) return undefined
  const url = `http://${text}/`
  if (!URL.canParse(url)) return undefined
  const host = new URL(url).hostname.replace(/\.$/, '')
  return host === '' || host.length > 253 ? undefined : host
}

/** Whether a canonical host is an IP address. */
export function isAddress(host: string): boolean {
  return host.startsWith('[') || IPV4.test(host)
}

/** How far the rules let a destination reach, or undefined if no rule covers it. `host` must be canonical. */
export function reachOf(rules: readonly HostRule[], host: string, port: number): Reach | undefined {
  const found = rules
    .filter(rule => rule.ports?.includes(port) ?? true)
    .flatMap(rule => reachBy(rule, host) ?? [])
  return (['named', 'private', 'public'] as const).find(reach => found.includes(reach))
}

function reachBy({ kind, host: named, isPrivate }: HostRule, host: string): Reach | undefined {
  switch (kind) {
    case 'any':
      return 'public'
    case 'loopback':
      return LOOPBACK.has(host) ? 'named' : undefined
    case 'address':
      return host === named ? 'named' : undefined
    case 'below':
      return !isAddress(host) && host.endsWith(`.${named}`) ? (isPrivate ? 'private' : 'public') : undefined
    case 'name':
      return host === named ? (isPrivate ? 'private' : 'public') : undefined
  }
}

/**
 * Replaces each entry that names a setting by the host of the address in that setting. `values` holds what
 * signed files decide. The host may be private only if `allow_private: true` stands beside the setting, as
 * for our own requests. An absent setting names no host.
 */
export function expandSettings(hosts: readonly string[], values: unknown): string[] {
  return hosts.flatMap(host => {
    const path = SETTING.exec(host)?.[1]
    return path === undefined ? [host] : hostOfSetting(path.split('.'), values)
  })
}

function hostOfSetting(path: readonly string[], values: unknown): string[] {
  const last = path.at(-1)!
  const holder = path.slice(0, -1).reduce<unknown>(own, values)
  const value = own(holder, last)
  if (typeof value !== 'string' || !URL.canParse(value)) return []
  const { protocol, hostname, port } = new URL(value)
  if (protocol !== 'http:' && protocol !== 'https:') return []
  const host = `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`
  const rule = parseHostRule(host)
  const mayBePrivate = own(holder, 'allow_private') === true
  switch (rule?.kind) {
    case 'name':
      return [mayBePrivate ? `private:${host}` : host]
    case 'address':
    case 'loopback':
      return mayBePrivate ? [printHostRule(rule)] : []
    default:
      return []
  }
}

function own(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return (value as Record<string, unknown>)[name] // an object that has the name
}
