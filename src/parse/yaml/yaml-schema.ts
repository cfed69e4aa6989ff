// YAML 1.1 as PyYAML types it. js-yaml's own 1.1 schema follows the specification, where `y` and `n` are booleans,
// `0:30` is sexagesimal and `-.5` a float; PyYAML reads all of these as text, and so do the files written for it.
// Timestamps become ISO text, integers past 2^53 stay exact, and mappings have no prototype.
import {
  boolYaml11Tag,
  defineMappingTag,
  defineScalarTag,
  floatYaml11Tag,
  intYaml11Tag,
  NOT_RESOLVED,
  type Schema,
  timestampTag,
  YAML11_SCHEMA,
} from 'js-yaml'
import { MAX_DIGITS } from '../metadata.ts'

const BOOLEANS: ReadonlyMap<string, boolean> = new Map(
  ['yes', 'true', 'on', 'no', 'false', 'off'].flatMap((word, index) =>
    [word, word[0]!.toUpperCase() + word.slice(1), word.toUpperCase()].map(
      spelling => [spelling, index < 3] as const,
    ),
  ),
)

const bool = { ...boolYaml11Tag, resolve: (source: string) => BOOLEANS.get(source) ?? NOT_RESOLVED }

const int = defineScalarTag<number | bigint>(intYaml11Tag.tagName, {
  ...intYaml11Tag,
  resolve(source, isExplicit, tagName) {
    if (source.length > MAX_DIGITS || /^[-+]?0[0-9_]*:/.test(source)) return NOT_RESOLVED
    const number = intYaml11Tag.resolve(source, isExplicit, tagName)
    if (Number.isSafeInteger(number)) return number
    const magnitude = source.replaceAll('_', '').replace(/^[-+]/, '')
    if (!INTEGER.test(magnitude)) return number
    return source.startsWith('-') ? -exactly(magnitude) : exactly(magnitude)
  },
})

const INTEGER = /^(?:0b[01]+|0x[0-9a-fA-F]+|0[0-7]+|[1-9][0-9]*(?::[0-5]?[0-9])*)$/

function exactly(magnitude: string): bigint {
  if (/^0[0-7]/.test(magnitude)) return BigInt(`0o${magnitude}`)
  return magnitude
    .split(':')
    .map(BigInt)
    .reduce((total, part) => total * 60n + part)
}

const float = defineScalarTag<number>(floatYaml11Tag.tagName, {
  ...floatYaml11Tag,
  resolve(source, isExplicit, tagName) {
    if (/^[-+]?\._|^[-+]\.[0-9]/.test(source)) return NOT_RESOLVED
    if (isExplicit && /^[-+]?[0-9]+$/.test(source)) return Number(source)
    return floatYaml11Tag.resolve(source, isExplicit, tagName)
  },
})

const timestamp = defineScalarTag<string>(timestampTag.tagName, {
  implicit: true,
  implicitFirstChars: timestampTag.implicitFirstChars,
  identify: () => false,
  resolve(source, isExplicit, tagName) {
    return timestampTag.resolve(source, isExplicit, tagName) === NOT_RESOLVED
      ? NOT_RESOLVED
      : printIso(source)
  },
})

const map = defineMappingTag<Record<string, unknown>>('tag:yaml.org,2002:map', {
  create: () => Object.create(null),
  identify: () => false,
  addPair(record, key, value) {
    if (!isScalar(key)) return 'a mapping key must be a scalar'
    record[String(key)] = value
    return ''
  },
  has: (record, key) => isScalar(key) && Object.hasOwn(record, String(key)),
  keys: record => Object.keys(record),
  get: (record, key) => record[String(key)],
})

function isScalar(key: unknown): boolean {
  return typeof key !== 'object' || key === null
}

export const PYYAML_SCHEMA: Schema = YAML11_SCHEMA.withTags(bool, int, float, timestamp, map)

/** The same, except that numbers and booleans are kept as text, as written: `1.10`. */
export const AS_WRITTEN_SCHEMA: Schema = PYYAML_SCHEMA.withTags(
  ...[bool, int, float].map(tag =>
    defineScalarTag<string>(tag.tagName, {
      implicit: true,
      implicitFirstChars: tag.implicitFirstChars,
      identify: () => false,
      resolve(source, isExplicit, tagName) {
        return tag.resolve(source, isExplicit, tagName) === NOT_RESOLVED ? NOT_RESOLVED : source
      },
    }),
  ),
)

const TIMESTAMP =
  /^(\d{4})-(\d\d?)-(\d\d?)(?:(?:[Tt]|[ \t]+)(\d\d?)(:\d\d:\d\d)(\.\d*)?(?:[ \t]*(Z|[-+]\d\d?(?::\d\d)?))?)?$/

/** `2026-2-8 9:05:00 +2` → `2026-02-08T09:05:00+02:00`; a date, a fraction and the absence of a zone are kept. */
function printIso(source: string): string {
  const [, year, month, day, hour, minutes, fraction, zone] = TIMESTAMP.exec(source) ?? []
  if (month === undefined || day === undefined)
    throw new Error('unreachable: js-yaml took this for a timestamp')
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  if (hour === undefined) return date
  const digits = fraction === undefined || fraction === '.' ? '' : fraction
  return `${date}T${hour.padStart(2, '0')}${minutes}${digits}${printZone(zone ?? '')}`
}

function printZone(zone: string): string {
  if (zone === '' || zone === 'Z') return zone
  const [hours, minutes = '00'] = zone.slice(1).split(':')
  return `${zone[0]}${hours!.padStart(2, '0')}:${minutes}`
}
