// Compiles JSON Schemas. What a check comes across and cannot decide alone goes to hooks: patterns, steps, and
// numbers that cannot be kept.
import { type JsonObject, printCanonicalJson } from '../../base/index.ts'
import { isKept, TEXT_KEYWORD, WHOLE_KEYWORD } from './kept-numbers.ts'
import type { PreparedSchema } from './parameter-schema.ts'
import { STEPS_KEYWORD } from './schema-steps.ts'

export type Validate = { (data: unknown): unknown; errors?: readonly unknown[] | null }
export type Compile = (schema: JsonObject) => Validate

export interface Hooks {
  /** Whether a pattern matches, as far as it is known. */
  readonly matches: (pattern: string, text: string) => boolean
  /** Called at each reference; may throw. */
  readonly count: (size: number, value: unknown) => void
  /** A number that cannot be kept, where a whole one is asked for, and where text is taken, too. */
  readonly noteUnkept: (path: string) => void
  readonly noteText: (path: string) => void
}

export interface CompilerKind {
  readonly draft: PreparedSchema['draft']
  /** Only a schema that is not plain is checked against the meta-schema. */
  readonly isPlain: boolean
  readonly allErrors: boolean
}

export async function makeCompiler(
  { draft, isPlain, allErrors }: CompilerKind,
  hooks: Hooks,
): Promise<Compile> {
  const regExp = Object.assign(
    (pattern: string) => ({
      test: (text: string) => hooks.matches(pattern, text),
      toString: () => JSON.stringify(pattern),
    }),
    { code: 'patternTable' },
  )
  const Compiler = draft === 'draft7' ? (await import('ajv')).Ajv : (await import('ajv/dist/2020.js')).Ajv2020
  const ajv = new Compiler({
    allErrors,
    ...(isPlain && { validateSchema: false, meta: false }),
    useDefaults: true,
    coerceTypes: false,
    strict: false,
    validateFormats: false,
    ownProperties: true,
    addUsedSchema: false,
    verbose: true,
    logger: false,
    // The library's type wants a RegExp; it calls `test` and `toString` only.
    code: { regExp: regExp as never },
  })
  // The library compares every pair of items: a long list would hang. Ours is linear.
  ajv.removeKeyword('uniqueItems')
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    validate: (isOn: boolean, items: unknown[]) =>
      !isOn || new Set(items.map(printCanonicalJson)).size === items.length,
  })
  ajv.addKeyword({
    keyword: STEPS_KEYWORD,
    schemaType: 'number',
    validate: (size: number, value: unknown) => {
      hooks.count(size, value)
      return true
    },
  })
  const notePath =
    (note: (path: string) => void) =>
    (isOn: boolean, value: unknown, _schema: unknown, at?: { instancePath: string }) => {
      if (isOn && !isKept(value)) note(at?.instancePath || '/')
      // Never fails the check: below `not` or `if`, a failure would let the number pass.
      return true
    }
  const forNumbers = { type: 'number', schemaType: 'boolean' } as const
  ajv.addKeyword({
    ...forNumbers,
    keyword: WHOLE_KEYWORD,
    validate: notePath(hooks.noteUnkept),
  })
  ajv.addKeyword({
    ...forNumbers,
    keyword: TEXT_KEYWORD,
    validate: notePath(hooks.noteText),
  })
  return schema => ajv.compile(schema)
}
