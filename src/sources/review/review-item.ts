// Everything that a person is shown about an item before accepting it.
import { isUtf8 } from 'node:buffer'
import { isRecord, type JsonObject } from '../../base/index.ts'
import type { SignedType } from '../../item/index.ts'
import { type Finding, findSigns, worstFirst } from './findings.ts'
import { findInNeeds, type ReviewedFile, type ReviewedNeeds, readNeeds } from './needs.ts'
import { commandsInText, type ReviewedProgram, readProgram } from './programs.ts'
import { findSelfStarting } from './self-starting.ts'

export interface ItemReview {
  readonly files: readonly { readonly path: string; readonly size: number }[]
  readonly programs: readonly ReviewedProgram[]
  /** Commands that its text tells the reader to run. */
  readonly commands: readonly string[]
  /** Hosts of the addresses in its files; those of its own requests come first. */
  readonly hosts: readonly string[]
  /** Worst first. */
  readonly findings: readonly Finding[]
  /** How many more findings there are; the least serious are left out. */
  readonly more_findings?: number
  /** Files that were not searched because they are not text. */
  readonly unread?: readonly string[]
  /** The permissions that it asks for, as it states them. */
  readonly permissions?: unknown
  /** What a tool would be given besides its permissions. */
  readonly needs?: ReviewedNeeds
  readonly executor?: string
  readonly license?: string
}

/** What is known about an item before it is in a space. */
interface ReviewedItem {
  readonly type: SignedType
  readonly id: string
  readonly extension: string
  readonly metadata: JsonObject
}

const ADDRESS =
  /\b(?:https?|ftp|wss?):\/\/(?:[^\s/@"'<>]*@)?(?<host>[A-Za-z0-9.-]+\.[A-Za-z]{2,}|\d{1,3}(?:\.\d{1,3}){3}|localhost)/g
const LICENSE_FILE = /(?:^|\/)(?:licen[cs]e|copying)(?:\.\w+)?$/i
const MOST_HOSTS = 500
const MOST_FINDINGS = 100
/** First bytes of programs for Linux, macOS, Windows and WebAssembly. */
const COMPILED = ['7f454c46', 'feedface', 'feedfacf', 'cffaedfe', 'cefaedfe', 'cafebabe', '4d5a', '0061736d']

export function reviewItem(files: ReadonlyMap<string, Uint8Array>, item: ReviewedItem): ItemReview {
  const { metadata } = item
  const programs: ReviewedProgram[] = []
  const findings: Finding[] = []
  const unread: string[] = []
  const hosts = new Set<string>()
  const commands = new Set<string>()
  for (const [path, bytes] of files) {
    const text = textOf(path, bytes)
    if (text === undefined) {
      if (isCompiled(bytes))
        findings.push({
          code: 'compiled-program',
          path,
          line: 1,
          message: 'a compiled program: nobody can read what it does',
        })
      else unread.push(path)
      continue
    }
    const program = readProgram(path, text)
    if (program) programs.push(program)
    if (/\.(?:md|markdown|txt|ya?ml|toml)$/i.test(path))
      for (const word of commandsInText(text)) commands.add(word)
    for (const found of text.matchAll(ADDRESS)) hosts.add(found.groups!.host!.toLowerCase())
    for (const finding of findSigns(path, text)) findings.push(finding)
  }
  const { permissions, config, executor_id: executor } = metadata
  const places = [config, metadata.metadata].map(place => (isRecord(place) ? place.permissions : undefined))
  const declared = [permissions, ...places].filter(isSaid)
  const allowed =
    declared.length > 1 ? declared : (declared[0] ?? metadata['allowed-tools'] ?? metadata.allowed_tools)
  const needs = item.type === 'tool' ? readNeeds(item) : {}
  const license = licenseOf(files, metadata)
  const sorted = worstFirst([
    ...findings,
    ...findSelfStarting(files, metadata),
    ...findInNeeds(mainFile(files, item), needs),
  ])
  return {
    files: Array.from(files, ([path, bytes]) => ({ path, size: bytes.length })),
    programs,
    commands: [...commands].sort(),
    // Hosts that requests go to come before those that are only named.
    hosts: [...new Set([...(needs.requests ?? []), ...[...hosts].sort()])].slice(0, MOST_HOSTS),
    findings: sorted.slice(0, MOST_FINDINGS),
    ...(sorted.length > MOST_FINDINGS && { more_findings: sorted.length - MOST_FINDINGS }),
    ...(unread.length > 0 && { unread }),
    ...(isSaid(allowed) && { permissions: allowed }),
    ...(Object.keys(needs).length > 0 && { needs }),
    ...(typeof executor === 'string' && { executor }),
    ...(license !== undefined && { license }),
  }
}

/** The main file of a tool; its signature may lie beside it. */
function mainFile(files: ReadonlyMap<string, Uint8Array>, { extension }: ReviewedItem): ReviewedFile {
  const path = [...files.keys()].find(name => name.endsWith(extension)) ?? ''
  return { path, text: textOf(path, files.get(path) ?? Buffer.alloc(0)) ?? '' }
}

function isSaid(value: unknown): boolean {
  return value !== undefined && value !== null
}

function licenseOf(files: ReadonlyMap<string, Uint8Array>, { license }: JsonObject): string | undefined {
  if (typeof license === 'string' && license !== '') return license.slice(0, 200)
  return [...files.keys()].find(path => LICENSE_FILE.test(path))
}

/**
 * The text of a file; undefined when nobody reads it as text. A shell runs a script, and an agent reads a
 * note, despite an invalid byte, so such a byte must not hide anything; nor an encoding with zero bytes.
 */
function textOf(path: string, bytes: Uint8Array): string | undefined {
  const hasZero = bytes.includes(0)
  if (isUtf8(bytes) && !hasZero) return Buffer.from(bytes).toString('utf8')
  if (isCompiled(bytes)) return undefined
  const text = Buffer.from(bytes).toString('latin1').replaceAll('\0', '')
  return !hasZero || isMostlyText(bytes) || readProgram(path, text) !== undefined ? text : undefined
}

/** Pictures and archives are full of control characters. */
function isMostlyText(bytes: Uint8Array): boolean {
  let controls = 0
  for (const byte of bytes) if ((byte > 0 && byte < 9) || (byte > 13 && byte < 32)) controls++
  return controls * 50 < bytes.length
}

function isCompiled(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.subarray(0, 4)).toString('hex')
  return COMPILED.some(mark => start.startsWith(mark))
}
