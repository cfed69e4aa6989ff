// The built page: a few files beside the bundle, read once. Nothing else on the disk is ever served.
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export interface PageFile {
  readonly type: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

const TYPES = {
  'index.html': 'text/html; charset=utf-8',
  'page.js': 'text/javascript; charset=utf-8',
  'page.css': 'text/css; charset=utf-8',
  'icon.svg': 'image/svg+xml',
} as const

/** By file name. Every path of the page itself is served `index.html`. */
export function readPageFiles(): ReadonlyMap<string, PageFile> {
  const folder = pageFolder()
  return new Map(
    Object.entries(TYPES).map(([name, type]) => [
      name,
      { type, bytes: new Uint8Array(readFileSync(`${folder}/${name}`)) },
    ]),
  )
}

/** Beside the bundle in the package; when running from source, the last build. */
function pageFolder(): string {
  const places = ['./page', '../../../dist/page'].map(place => fileURLToPath(new URL(place, import.meta.url)))
  const found = places.find(place => existsSync(`${place}/index.html`))
  if (found === undefined) throw new Error(`unreachable: no page in ${places.join(', ')}`)
  return found
}
