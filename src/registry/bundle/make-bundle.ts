// A bundle in npm's form: the items below `.ai/`, a manifest that lists them, and a README for people who
// find it on a web page.
import { AppError, cutText, flattenText, type JsonObject } from '../../base/index.ts'
import { type Extractors, extractItem } from '../../extract/index.ts'
import { readVersion } from '../../item/index.ts'
import type { TrustContext } from '../../trust/index.ts'
import { PACKED_BYTES } from '../archive/limits.ts'
import { writeArchive } from '../archive/write-archive.ts'
import { itemsOf } from './bundle-items.ts'
import type { Files } from './bundle-path.ts'
import type { ListedItem } from './listed-items.ts'

/** The keyword that marks bundles among packages. */
export const KEYWORD = 'rye-bundle'

export interface BundleFacts {
  readonly name: string
  readonly version: string
  readonly description: string
  readonly keywords: readonly string[]
}

export interface MadeBundle {
  /** The content of `package.json`. */
  readonly manifest: JsonObject
  readonly readme: string
  readonly archive: Buffer
  /** The files that were added, with their sizes. */
  readonly generated: readonly { readonly path: string; readonly size: number }[]
}

const MOST_DESCRIPTION = 300

export async function listItems(
  files: Files,
  { extractors, trust }: { readonly extractors: Extractors; readonly trust: TrustContext },
): Promise<ListedItem[]> {
  const listed = itemsOf(files, extractors).items.map(async (item): Promise<ListedItem> => {
    const { metadata } = await extractItem(extractors.get(item.type)!, item)
    const version = readVersion(metadata.version)
    const { signer } = item.judge(trust)
    const description = cutText(
      flattenText(String(metadata.description ?? metadata.title ?? '')),
      MOST_DESCRIPTION,
    )
    return {
      type: item.type,
      id: item.id,
      description,
      ...(version && { version }),
      ...(signer && { signer }),
    }
  })
  return Promise.all(listed)
}

/** Throws `FILE_TOO_LARGE`. */
export async function makeBundle(
  facts: BundleFacts,
  files: Files,
  items: readonly ListedItem[],
): Promise<MadeBundle> {
  const keywords = [...new Set([KEYWORD, ...facts.keywords])].sort()
  const { name, version, description } = facts
  const listed = items.map(item => ({ ...item }))
  const manifest: JsonObject = {
    name,
    version,
    description,
    keywords,
    files: ['.ai/'],
    rye: { items: listed },
  }
  const readme = printReadme(facts, items)
  const generated = new Map([
    ['package.json', Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)],
    ['README.md', Buffer.from(readme)],
  ])
  const carried = [...files].map(([path, bytes]) => [`.ai/${path}`, bytes] as const)
  const archive = await writeArchive(
    new Map([...generated, ...carried].map(([path, bytes]) => [`package/${path}`, bytes])),
  )
  if (archive.length > PACKED_BYTES)
    throw new AppError(
      'FILE_TOO_LARGE',
      `the bundle is larger than ${PACKED_BYTES} bytes: publish fewer items`,
    )
  const sizes = [...generated].map(([path, bytes]) => ({ path, size: bytes.length }))
  return { manifest, readme, archive, generated: sizes }
}

function printReadme(facts: BundleFacts, items: readonly ListedItem[]): string {
  const cell = (text: string) => text.replaceAll(/[\\|`<>[\]]/g, '\\$&')
  const rows = items.map(({ type, id, description }) => `| \`${type}:${id}\` | ${cell(description)} |`)
  const signers = [...new Set(items.flatMap(({ signer }) => signer ?? []))].sort()
  return `# ${facts.name}

${cell(facts.description)}

A bundle of items for [rye](https://www.npmjs.com/package/ryekit), an MCP server over a signed library.

| item | what it is |
| --- | --- |
${rows.join('\n')}

Signed with ${signers.length === 1 ? 'the key' : 'the keys'} ${signers.map(signer => `\`${signer}\``).join(', ')}. Whoever carries it is not trusted for it: the items
count once you trust the key, which you compare with its owner another way.
`
}
