// What `find` found, packed until its next run: a line of JSON, then the records of each folder.
import { isRecord } from '../base/index.ts'
import type { FoundRoots } from './edited-files.ts'

/** `about` is anything else to be kept with it, as JSON. */
export function packRoots({ folders, skipped }: FoundRoots, about: object): Uint8Array {
  const sizes = folders.map(({ path, records }) => ({ path, bytes: records.length }))
  const head = JSON.stringify({ about, folders: sizes, skipped })
  return Buffer.concat([Buffer.from(`${head}\n`), ...folders.map(({ records }) => records)])
}

/** Undefined for damaged bytes. The caller checks `about`. */
export function unpackRoots(
  kept: Uint8Array,
): { readonly found: FoundRoots; readonly about: Readonly<Record<string, unknown>> } | undefined {
  const bytes = Buffer.from(kept.buffer, kept.byteOffset, kept.length)
  const end = bytes.indexOf('\n')
  const head = headOf(bytes.toString('utf8', 0, Math.max(0, end)))
  if (!isRecord(head)) return undefined
  const { about, folders, skipped } = head
  if (!isRecord(about) || !Array.isArray(folders) || !folders.every(isSized) || !Array.isArray(skipped))
    return undefined
  let at = end + 1
  const cut = folders.map(({ path, bytes: size }) => {
    at += size
    return { path, records: bytes.subarray(at - size, at) }
  })
  return at === bytes.length ? { found: { folders: cut, skipped }, about } : undefined
}

function isSized(value: unknown): value is { readonly path: string; readonly bytes: number } {
  return isRecord(value) && typeof value.path === 'string' && Number.isSafeInteger(value.bytes)
}

function headOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
