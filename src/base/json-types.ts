// The types that JSON Schema knows, and the words by which items may call them.

export const JSON_TYPES: ReadonlySet<unknown> = new Set([
  ...['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'],
])

/** `str` and `string` are `string`; what is no word for a type of values is not here. */
export const TYPE_WORDS: ReadonlyMap<unknown, string> = new Map([
  ...['string', 'integer', 'number', 'boolean', 'array', 'object'].map(name => [name, name] as const),
  ['str', 'string'],
  ['int', 'integer'],
  ['float', 'number'],
  ['bool', 'boolean'],
  ['list', 'array'],
  ['dict', 'object'],
])
