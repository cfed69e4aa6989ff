// Checks a parsed item against the rules of its extractor. All issues are returned at once, each naming its
// field. The wording of the messages is part of the format, since scripts match on it.
import { isRecord, type JsonValue, printCanonicalJson, shortenText, typeName } from '../base/index.ts'
import { categoryOf } from '../item/index.ts'
import type { Extractor, FieldRule, FieldType, Issue, ParsedItem } from './types.ts'

const SEMVER = /^\d+\.\d+\.\d+$/
const SNAKE_CASE = /^[a-z][a-z0-9_]*$/

/** Any one of these makes a file a tool, even an unfinished one. */
const TOOL_FIELDS = ['tool_type', 'executor_id', 'category', 'version', 'config_schema', 'input_schema']

/** A file beside a tool that the tool imports or reads. It needs only a signature; nobody runs it. */
export function isHelper({ type, metadata }: Pick<ParsedItem, 'type' | 'metadata'>): boolean {
  return type === 'tool' && TOOL_FIELDS.every(field => metadata[field] === undefined)
}

export function validateItem(extractor: Extractor, item: ParsedItem): Issue[] {
  return checkFields(extractor.validation, item.metadata, '', item)
}

function checkFields(
  rules: ReadonlyMap<string, FieldRule>,
  values: Readonly<Record<string, JsonValue>>,
  prefix: string,
  item: ParsedItem,
): Issue[] {
  const issues: Issue[] = []
  for (const [key, rule] of rules) {
    const value = Object.hasOwn(values, key) ? values[key]! : null
    issues.push(...checkField(`${prefix}${key}`, value, rule, item))
  }
  return issues
}

function checkField(field: string, value: JsonValue, rule: FieldRule, item: ParsedItem): Issue[] {
  if (isMissing(value, rule)) {
    return rule.required && !rule.nullable ? [{ field, message: `Missing required field: ${field}` }] : []
  }
  const problem = rule.type && typeProblem(value, rule.type, rule)
  if (problem) return [{ field, message: `Field '${field}' ${problem}` }]
  const issues = valueProblems(value, rule, item).map(text => ({
    field,
    message: `Field '${field}' ${text}`,
  }))
  if (Array.isArray(value)) issues.push(...checkElements(field, value, rule))
  else if (isJsonObject(value)) issues.push(...checkFields(rule.nested, value, `${field}.`, item))
  return issues
}

/** An item in the root of its type folder has the empty category, so there `""` is a value. */
function isMissing(value: JsonValue, rule: FieldRule): boolean {
  if (value === null) return true
  if (value === '') return !rule.matchPath
  return Array.isArray(value) && value.length === 0
}

function typeProblem(value: JsonValue, type: FieldType, rule: FieldRule): string | undefined {
  const mismatch = (wanted: string) =>
    `must be ${wanted}, got ${Number.isInteger(value) ? 'number' : typeName(value)}`
  switch (type) {
    case 'string':
      return typeof value === 'string' ? undefined : mismatch('a string')
    case 'integer':
      return Number.isInteger(value) ? undefined : mismatch('an integer')
    case 'number':
      return typeof value === 'number' ? undefined : mismatch('a number')
    case 'boolean':
      return typeof value === 'boolean' ? undefined : mismatch('a boolean')
    case 'object':
      return isRecord(value) ? undefined : mismatch('an object')
    case 'array':
      return Array.isArray(value) ? undefined : mismatch('an array')
    case 'semver':
      if (typeof value === 'string' && SEMVER.test(value)) return undefined
      return `must be semver format (X.Y.Z), got ${shown(value)}`
    case 'enum':
      if (rule.values.some(allowed => printCanonicalJson(allowed) === printCanonicalJson(value)))
        return undefined
      return `must be one of ${rule.values.map(shown).join(', ')}, got ${shown(value)}`
  }
}

function valueProblems(value: JsonValue, rule: FieldRule, item: ParsedItem): string[] {
  const problems: string[] = []
  const category = categoryOf(item.id)
  if (rule.format === 'snake_case' && !(typeof value === 'string' && SNAKE_CASE.test(value)))
    problems.push(`must be snake_case, got ${shown(value)}`)
  if (typeof value === 'number') {
    if (rule.minimum !== null && value < rule.minimum)
      problems.push(`must be at least ${rule.minimum}, got ${value}`)
    if (rule.maximum !== null && value > rule.maximum)
      problems.push(`must be at most ${rule.maximum}, got ${value}`)
  }
  if (rule.matchFilename && value !== item.name) problems.push(`must match filename '${item.name}'`)
  if (rule.matchPath && value !== category) problems.push(`must match path category '${category}'`)
  return problems
}

function checkElements(field: string, elements: readonly JsonValue[], rule: FieldRule): Issue[] {
  const issues: Issue[] = []
  for (const [index, element] of elements.entries()) {
    const place = `${field}[${index}]`
    const problem = rule.itemType && typeProblem(element, rule.itemType, rule)
    if (problem) issues.push({ field: place, message: `Field '${place}' ${problem}` })
    for (const key of rule.itemRequired) {
      if (isJsonObject(element) && Object.hasOwn(element, key) && (element[key] ?? '') !== '') continue
      issues.push({ field: place, message: `Field '${place}' missing required key '${key}'` })
    }
  }
  return issues
}

function isJsonObject(value: JsonValue): value is { [key: string]: JsonValue } {
  return isRecord(value)
}

function shown(value: JsonValue): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return `'${shortenText(text)}'`
}
