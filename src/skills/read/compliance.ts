// Finds the open source licences of a skill in its `license` field and in the licence files beside SKILL.md.
// If one of them says that the skill is not open, the others do not count.
import { type Named, parseLicenseExpression } from './license-expression.ts'
import { findOpenLicense } from './open-licenses.ts'
import type { SkillFolder } from './records.ts'

export interface Compliance {
  /** SPDX identifiers, sorted. */
  readonly licenses: readonly string[]
  /** What each place says: the licences found there, or that none is known. */
  readonly details: readonly string[]
}

const LICENSE_FILE = /^(?:licen[cs]e|copying|unlicense)(?:[-.][\w.-]*)?$/i
const MAX_LOOK = 4000
/** Longer than `MAX_LOOK`, since a rider may follow the licence. */
const MAX_RIDER = 100_000

/** A field with one of these words grants none of the licences that it names. */
const CLOSED =
  /\bproprietary\b|\ball rights reserved\b|\bunlicensed\b|\bnot\b|\bno commercial\b|\bnon-?(?:free|commercial|open)|\bcommons[- ]clause\b|\bBY-N[CD]\b|\bno-(?:nuclear|military)\b/i
/** Licences that are source-available but not open, by their identifiers in a field. */
const SOURCE_AVAILABLE =
  /\bBUSL|\bBSL[- ]?v?1\.1|\bFSL\b|\bSSPL|\bElastic-\d|\bELv?2\b|\bpolyform\b|\bRSAL|\bsource[- ]available\b/i
/** The same by their names, in a field or in the text of a file. */
const SOURCE_AVAILABLE_NAME =
  /\b(?:business source|functional source|server[- ]side public|elastic|confluent community|redis source available|timescale|sustainable use|fair (?:source|core)|prosperity public|polyform[\w ]{1,40}) licen[cs]e\b/i
/**
 * Words that make a licence not open, in the text of any file. The GPL's own "noncommercial distribution" and
 * SSLeay's "free for commercial and non-commercial use" must not match.
 */
const RIDER =
  /\bcommons clause\b|\battribution-(?:noncommercial|noderivatives)\b|(?<!\bcommercial (?:and|or|and\/or|as well as) )\bnon-?commercial (?:use|purposes?|license)\b|\bBY-N[CD]\b/i
/** Counts only without a known licence: one may have `all rights reserved` in its copyright line. */
const CLOSED_TEXT = /\bproprietary\b|\ball rights reserved\b/i
const UNKNOWN = 'no known open source licence'

/** Identifier, its name in a field, and words of its text. A longer name comes before one that is a part of it. */
const LICENSES: readonly (readonly [spdx: string, name: RegExp, text: RegExp])[] = [
  ['AGPL-1.0', versioned('agpl', '1'), /(?<!GNU )AFFERO GENERAL PUBLIC LICENSE\s+Version 1\b/i],
  ['AGPL-3.0', /\bagpl/i, /GNU AFFERO GENERAL PUBLIC LICENSE/i],
  ['LGPL-2.1', versioned('lgpl', '2.1'), /GNU LESSER GENERAL PUBLIC LICENSE\s+Version 2\.1/i],
  ['LGPL-2.0', versioned('lgpl', '2'), /GNU LIBRARY GENERAL PUBLIC LICENSE\s+Version 2/i],
  ['LGPL-3.0', /\blgpl/i, /GNU LESSER GENERAL PUBLIC LICENSE/i],
  ['GPL-1.0', versioned('gpl', '1'), /GNU GENERAL PUBLIC LICENSE\s+Version 1\b/i],
  ['GPL-2.0', versioned('gpl', '2'), /GNU GENERAL PUBLIC LICENSE\s+Version 2/i],
  ['GPL-3.0', /\bgpl/i, /GNU GENERAL PUBLIC LICENSE\s+Version 3/i],
  ['Apache-1.1', versioned('apache', '1.1'), /Apache Software License,?\s+Version 1\.1/i],
  ['Apache-2.0', /\bapache/i, /Apache License,?\s+Version 2\.0/i],
  [
    'MPL-1.1',
    versioned('mpl|mozilla public', '1.1'),
    /(?<!consists of the )Mozilla Public License,? Version 1\.1/i,
  ],
  ['MPL-1.0', versioned('mpl|mozilla public', '1'), /Mozilla Public License,? Version 1\.0/i],
  ['MPL-2.0', /\bmpl|mozilla public/i, /Mozilla Public License,? Version 2\.0/i],
  ['EPL-1.0', versioned('epl|eclipse public', '1'), /Eclipse Public License,? -? ?v(?:ersion )? ?1\.0/i],
  ['EPL-2.0', /\bepl\b|\beclipse public/i, /Eclipse Public License,? -? ?v(?:ersion )? ?2\.0/i],
  ['0BSD', /\b0bsd\b/i, /Zero-Clause BSD/i],
  [
    'BSD-3-Clause',
    /(?<!\b2-clause )\bbsd\b(?![- ]?2)/i,
    /Redistribution and use in source and binary[\s\S]*Neither the name/i,
  ],
  ['BSD-2-Clause', /\bbsd\b/i, /Redistribution and use in source and binary/i],
  ['ISC', /\bisc\b/i, /Permission to use, copy, modify, and\/or distribute this software/i],
  ['Unlicense', /\bunlicense\b/i, /free and unencumbered software released into the public domain/i],
  ['CC0-1.0', /\bcc0/i, /CC0 1\.0 Universal/i],
  ['OFL-1.1', /\bofl\b|\bopen font\b/i, /SIL Open Font License,? Version 1\.1/i],
  ['Zlib', /\bzlib\b/i, /Altered source versions must be plainly marked/i],
  ['MIT-0', /\bmit-0\b|\bmit no attribution\b/i, /MIT No Attribution/i],
  [
    'BSL-1.0',
    /\bboost software\b/i,
    /Permission is hereby granted, free of charge, to any person or organization/i,
  ],
  ['MIT', /\bmit\b/i, /Permission is hereby granted, free of charge, to any person/i],
]

/** A name with this version: `GPL v1`, `Apache License, Version 1.1`. A name alone means the newest. */
function versioned(name: string, version: string): RegExp {
  const number = version.replace('.', '\\.')
  return new RegExp(
    `\\b(?:${name})(?:[\\s,-]|\\b(?:software|licen[cs]e|version)\\b)*v?${number}(?![1-9]|\\.[1-9])`,
    'i',
  )
}

export function findLicenses(folder: SkillFolder, field: string | undefined): Compliance {
  const files = [...folder.files.keys()].filter(isLicenseFile).sort()
  const said = [
    ...(field === undefined ? [] : [readField(field)]),
    ...files.flatMap(path => {
      const bytes = folder.files.get(path)
      return bytes ? [readText(path, bytes)] : []
    }),
  ]
  const named = [...new Set(said.flatMap(({ licenses }) => licenses))].sort()
  const closed = said.filter(({ isClosed }) => isClosed)
  const details = said.map(({ where, licenses }) => `${where}: ${licenses.join(', ') || UNKNOWN}`)
  if (closed.length === 0 || named.length === 0) return { licenses: named, details }
  const contradiction = `not counted: ${named.join(', ')}, since ${closed.map(({ where }) => where).join(' and ')} says otherwise`
  return { licenses: [], details: [...details, contradiction] }
}

/** What one place says. */
interface Said extends Named {
  readonly where: string
}

/** Evaluates an SPDX expression as a whole. In any other text, every licence that it names counts. */
function readField(field: string): Said {
  const where = `license field \`${[...field].slice(0, 60).join('')}\``
  const named = parseLicenseExpression(field, readTerm) ?? readTerm(field.replace(FILE_NAME, ''))
  return { where, ...named }
}

/** `see LICENSE in FILE` is ignored: the file itself says more. A `LicenseRef-...` is not a known one. */
const FILE_NAME = /\bsee licen[cs]e in\s+\S+/gi
const OWN_REFERENCE = /^(?:LicenseRef|DocumentRef)-/i

function readTerm(term: string): Named {
  const open = findOpenLicense(term)
  if (open !== undefined) return { licenses: [open], isClosed: false }
  const isClosed = [CLOSED, SOURCE_AVAILABLE, SOURCE_AVAILABLE_NAME].some(words => words.test(term))
  return { licenses: isClosed || OWN_REFERENCE.test(term) ? [] : namedIn(term), isClosed }
}

function readText(path: string, bytes: Uint8Array): Said {
  // A line may end between any two words.
  const all = decodeText(bytes.subarray(0, MAX_RIDER)).replace(/\s+/g, ' ')
  const text = all.slice(0, MAX_LOOK)
  const found = firstIn(text)
  const isClosed =
    RIDER.test(all) || SOURCE_AVAILABLE_NAME.test(all) || (found === undefined && CLOSED_TEXT.test(text))
  return { where: `file \`${path}\``, licenses: found && !isClosed ? [found] : [], isClosed }
}

/** Decodes UTF-16 when there is a byte order mark for it, as editors on Windows write. */
function decodeText(bytes: Uint8Array): string {
  const isMarked = (first: number, second: number) => bytes[0] === first && bytes[1] === second
  const encoding = isMarked(0xff, 0xfe) ? 'utf-16le' : isMarked(0xfe, 0xff) ? 'utf-16be' : 'utf-8'
  return new TextDecoder(encoding).decode(bytes)
}

/** The first licence in a text. The GPL mentions the LGPL further down, and the MPL mentions all of them. */
function firstIn(text: string): string | undefined {
  const found = LICENSES.map(([spdx, , words]) => ({ spdx, at: text.search(words) })).filter(
    ({ at }) => at >= 0,
  )
  return found.sort((a, b) => a.at - b.at)[0]?.spdx
}

/** Every licence that a field names: `MIT OR Apache-2.0` names two. */
function namedIn(field: string): string[] {
  let rest = field
  return LICENSES.flatMap(([spdx, name]) => {
    if (!name.test(rest)) return []
    rest = rest.replace(name, ' ')
    return [spdx]
  }).sort()
}

/** True only for a file directly in the skill's folder. */
export function isLicenseFile(path: string): boolean {
  return LICENSE_FILE.test(path)
}
