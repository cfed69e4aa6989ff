// The address holds what is shown, so that it can be bookmarked, shared between windows, and gone back to.

export interface Address {
  readonly page: string
  /** The path after the page: type, space and id of an item. */
  readonly rest: readonly string[]
  readonly params: Readonly<Record<string, string>>
}

export function readAddress(path: string, search: string): Address {
  const [page = '', ...rest] = path.split('/').filter(Boolean).map(decode)
  return {
    page: page === '' ? 'overview' : page,
    rest,
    params: Object.fromEntries(new URLSearchParams(search)),
  }
}

/** Leaves out empty parameters. */
export function printAddress({ page, rest, params }: Partial<Address> & { readonly page: string }): string {
  const path = [page === 'overview' ? '' : page, ...(rest ?? [])]
    .filter(part => part !== '')
    .map(encodeURIComponent)
    .join('/')
  const given = Object.entries(params ?? {}).filter(([, value]) => value !== '')
  const search = new URLSearchParams(given).toString()
  return `/${path}${search && `?${search}`}`
}

export interface ItemName {
  readonly type: string
  readonly space: string
  readonly id: string
}

export function itemAddress({ type, space, id }: ItemName, params: Address['params'] = {}): string {
  return printAddress({ page: 'item', rest: [type, space, ...id.split('/')], params })
}

export function itemOf({ rest: [type, space, ...id] }: Address): ItemName | undefined {
  if (type === undefined || space === undefined || id.length === 0) return undefined
  return { type, space, id: id.join('/') }
}

/** In the form that actions take. */
export function refOf({ type, space, id }: ItemName): string {
  return `${type}:${id}@${space}`
}

/**
 * The index in the list of projects that an address names: 0 when it names none, undefined when there is no
 * such project.
 */
export function projectOf({ params: { project = '' } }: Address, count: number): number | undefined {
  if (project === '') return 0
  return /^\d{1,6}$/.test(project) && Number(project) < count ? Number(project) : undefined
}

/** Pages of one item, which another project may not have. */
const OF_ONE_ITEM: ReadonlySet<string> = new Set(['item', 'run'])

/** The same page in another project. */
export function addressIn(page: string, project: number): string {
  return printAddress({
    page: OF_ONE_ITEM.has(page) ? 'overview' : page,
    params: project === 0 ? {} : { project: String(project) },
  })
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    // A stray per cent sign: no item has one in its name.
    return part
  }
}
