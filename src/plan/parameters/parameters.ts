// Checks the caller's parameters against the tool's JSON Schema: reports all faults at once if that is not too
// much work, fills in defaults, converts nothing. Patterns are not matched here. The validator looks up each
// (pattern, text) in a table; missing pairs are matched elsewhere, under a deadline, and validation runs
// again. So `anyOf`, `not` and `patternProperties` keep their exact meaning, and no pattern can hang us.
// References cannot either: their steps are counted.
import {
  AppError,
  callOf,
  isDeeperThan,
  type JsonObject,
  type JsonValue,
  lazy,
  printCanonicalJson,
  printHint,
  sha256Hex,
} from '../../base/index.ts'
import { type Compile, type CompilerKind, type Hooks, makeCompiler, type Validate } from './compile-schema.ts'
import { findTooLarge, NOT_KEPT, TOO_LARGE_FAULT } from './kept-numbers.ts'
import { faultOf, type ParameterFault, printFaults, readFaults } from './parameter-faults.ts'
import { prepareSchema } from './parameter-schema.ts'
import { isPlainSchema } from './plain-schema.ts'
import { blameDefaults, fillInherited } from './schema-defaults.ts'
import { markSchema, StepCounter, TooManySteps } from './schema-steps.ts'

const MAX_DEPTH = 200
const MAX_ROUNDS = 8
const MAX_QUESTIONS = 1000
const MAX_SCHEMAS = 500

/**
 * Whether a JSON Schema pattern (unanchored, flag `u`) matches. Rejects when the pattern is invalid or takes
 * over 100 ms.
 */
export type PatternMatcher = (pattern: string, text: string) => Promise<boolean>

/** Answers of the pattern engine, by pattern and text. */
type Answers = Map<string, boolean>
type Questions = Map<string, { readonly pattern: string; readonly text: string }>

/** `first` decides, and ends at the first fault. `all` goes on, and is only asked what to tell. */
interface Validators {
  readonly first: Validate
  readonly all: () => Promise<Validate>
}

interface Finding {
  readonly faults: ParameterFault[]
  readonly questions: Questions
  /** The parameters with defaults. */
  readonly filled: JsonObject
}

/** Compiled schemas, by digest. A process needs only one of these; it holds no data of callers. */
export class ParameterSchemas {
  readonly #compiled = new Map<string, Validators>()
  readonly #compilers = new Map<string, Promise<Compile>>()
  #answers: Answers | undefined
  #questions: Questions = new Map()
  #steps: StepCounter | undefined
  /**
   * Paths where the schema asks for a whole number and got one that cannot be kept exactly; and those where
   * it accepts text, too.
   */
  #unkept = new Set<string>()
  #maybeText = new Set<string>()
  readonly #hooks: Hooks = {
    matches: (pattern, text) => this.#ask(pattern, text),
    count: (size, value) => this.#steps?.count(size, value),
    noteUnkept: path => this.#unkept.add(path),
    noteText: path => this.#maybeText.add(path),
  }

  /**
   * The parameters with defaults filled in, or `PARAMETERS_INVALID`. Without a schema they are accepted as
   * they are.
   */
  async validate(
    itemId: string,
    schema: JsonValue | undefined,
    parameters: JsonObject,
    matchesPattern: PatternMatcher,
  ): Promise<JsonObject> {
    // Validation and printing recurse, so deeply nested parameters must not reach them.
    if (isDeeperThan(parameters, MAX_DEPTH)) {
      throw new AppError('PARAMETERS_INVALID', `expected parameters at most ${MAX_DEPTH} levels deep`)
    }
    const tooLarge = findTooLarge(parameters)
    if (tooLarge !== undefined)
      throw invalidParameters(itemId, [{ path: tooLarge, message: TOO_LARGE_FAULT }], schema ?? null)
    if (schema === undefined || schema === null) return parameters
    const validators = await this.#compile(itemId, schema)
    const answers: Answers = new Map()
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const { faults, questions, filled } = await this.#find(validators, parameters, schema, answers).catch(
        thrown => {
          throw endless(itemId, thrown)
        },
      )
      if (questions.size === 0) {
        if (faults.length === 0) return filled
        throw invalidParameters(itemId, blameDefaults(faults, parameters, filled), schema)
      }
      if (answers.size + questions.size > MAX_QUESTIONS) break
      await Promise.all(
        [...questions].map(async ([key, { pattern, text }]) => {
          answers.set(key, await matchesPattern(pattern, text))
        }),
      )
    }
    throw new AppError('PARAMETERS_INVALID', `parameters of \`${itemId}\` need too many pattern checks`)
  }

  async #find(
    { first, all }: Validators,
    parameters: JsonObject,
    schema: JsonValue,
    answers: Answers,
  ): Promise<Finding> {
    const run = (validate: Validate, steps: StepCounter) => {
      const filled = structuredClone(parameters)
      fillInherited(schema, filled)
      return { ...this.#run(validate, steps, filled, answers), filled }
    }
    const found = run(first, StepCounter.forFirstFault(parameters))
    if (found.faults.length === 0) return found
    const validate = await all()
    try {
      const more = run(validate, StepCounter.forAllFaults())
      // The first check has decided: one that only tells more can let nothing through.
      if (more.faults.length === 0) return found
      return { ...more, questions: new Map([...found.questions, ...more.questions]) }
    } catch (thrown) {
      if (isEndless(thrown)) return found
      throw thrown
    }
  }

  #run(validate: Validate, steps: StepCounter, data: JsonObject, answers: Answers): Omit<Finding, 'filled'> {
    this.#answers = answers
    this.#questions = new Map()
    this.#steps = steps
    this.#unkept = new Set()
    this.#maybeText = new Set()
    try {
      const isValid = validate(data)
      const faults = isValid ? [] : readFaults(validate.errors ?? [])
      return { faults: [...this.#unkeptFaults(), ...faults], questions: this.#questions }
    } finally {
      this.#steps = undefined
      this.#answers = undefined
      this.#questions = new Map()
    }
  }

  #unkeptFaults(): ParameterFault[] {
    return [...this.#unkept].map(path =>
      faultOf(path, this.#maybeText.has(path) ? `${NOT_KEPT}: pass it as text` : NOT_KEPT),
    )
  }

  /**
   * Called by the validator. Without a table, the schema itself is being checked, and any pattern matches.
   */
  #ask(pattern: string, text: string): boolean {
    if (this.#answers === undefined) return true
    const key = keyOf(pattern, text)
    const answer = this.#answers.get(key)
    if (answer === undefined) this.#questions.set(key, { pattern, text })
    return answer ?? true
  }

  async #compile(itemId: string, schema: JsonValue): Promise<Validators> {
    const digest = sha256Hex(printCanonicalJson(schema))
    const known = this.#compiled.get(digest)
    if (known !== undefined) return known
    const prepared = prepareSchema(itemId, schema)
    if (this.#compiled.size >= MAX_SCHEMAS) {
      // The compiler keeps what it compiled, so both go together.
      this.#compiled.clear()
      this.#compilers.clear()
    }
    const isPlain = isPlainSchema(prepared.schema)
    markSchema(prepared.schema)
    const compile = async (allErrors: boolean) =>
      (await this.#compilerFor({ draft: prepared.draft, isPlain, allErrors }))(prepared.schema)
    try {
      const validators = { first: await compile(false), all: lazy(() => compile(true)) }
      this.#compiled.set(digest, validators)
      return validators
    } catch (thrown) {
      const reason = thrown instanceof Error ? thrown.message : String(thrown)
      throw new AppError('CHAIN_INVALID', `the parameter schema of \`${itemId}\` is invalid: ${reason}`, {
        cause: thrown,
      })
    }
  }

  #compilerFor(kind: CompilerKind): Promise<Compile> {
    const name = JSON.stringify(kind)
    const compiler = this.#compilers.get(name) ?? makeCompiler(kind, this.#hooks)
    this.#compilers.set(name, compiler)
    return compiler
  }
}

/**
 * A reference that leads back to itself without a value in between runs out of stack before it runs out of
 * steps.
 */
function endless(itemId: string, thrown: unknown): unknown {
  if (!isEndless(thrown)) return thrown
  const found =
    thrown instanceof TooManySteps ? thrown.message : 'expected one that ends, got one that does not'
  return new AppError(
    'CHAIN_INVALID',
    `the parameter schema of \`${itemId}\` refers to itself too often for parameters to be checked: ${found}`,
    { hint: 'let each `$ref` of the schema lead to a smaller part of the parameters', cause: thrown },
  )
}

function isEndless(thrown: unknown): thrown is TooManySteps | RangeError {
  return thrown instanceof TooManySteps || thrown instanceof RangeError
}

function keyOf(pattern: string, text: string): string {
  return `${pattern.length}:${pattern}${text}`
}

/** A larger schema is not sent with an error; `load` shows it. */
const MAX_SCHEMA_CHARACTERS = 8_000

/** Includes the schema, so that the next call can be right. */
function invalidParameters(itemId: string, faults: readonly ParameterFault[], schema: JsonValue): AppError {
  const isShort = schema !== null && JSON.stringify(schema).length <= MAX_SCHEMA_CHARACTERS
  return new AppError(
    'PARAMETERS_INVALID',
    `parameters of \`${itemId}\` are invalid: ${printFaults(faults)}`,
    {
      hint: {
        agent: isShort ? '`schema` says what it takes' : `see what it takes: ${summaryCall(itemId)}`,
        person: `see what it takes with \`rye show tool:${itemId}\``,
      },
      details: { errors: faults, ...(isShort && { schema }) },
    },
  )
}

function summaryCall(itemId: string): string {
  return printHint(callOf('load', { item_id: `tool:${itemId}`, view: 'summary' }), 'agent')
}
