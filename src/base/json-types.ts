// The types of JSON Schema, and the words that items may use for them.

export const JSON_TYPES: ReadonlySet<unknown> = new Set([
  ...['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'],
])

/** `str` and `string` both mean `string`. A word that names no type is absent. */
export const TYPE_WORDS: ReadonlyMap<unknown, string> = new Map([
  ...['string', 'integer', 'number', 'boolean', 'array', 'object'].map(name => [name, name] as const),
  ['str', 'string'],
  ['int', 'integer'],
  ['float', 'number'],
  ['bool', 'boolean'],
  ['list', 'array'],
  ['dict', 'object'],
])
