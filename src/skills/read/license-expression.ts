// SPDX licence expressions: `MIT OR (Apache-2.0 AND BSD-3-Clause)`. Of alternatives, one open licence is
// enough; of licences that apply together, each must be open.
// https://spdx.github.io/spdx-spec/v2.3/SPDX-license-expressions/

/** The open licences that something is under. */
export interface Named {
  readonly licenses: readonly string[]
  /** Whether it says that it is not open. */
  readonly isClosed: boolean
}

type ReadTerm = (term: string) => Named

/** A longer text is not taken for an expression. This also bounds the nesting. */
const MOST_CHARACTERS = 1000
const TOKEN = /\s+|[()]|[\w.:+-]+/gy
const OPERATORS: ReadonlySet<string> = new Set(['AND', 'OR', 'WITH', '(', ')'])

/** Undefined for a text that is not an expression, such as `MIT, see LICENSE`. */
export function parseLicenseExpression(text: string, readTerm: ReadTerm): Named | undefined {
  const tokens = text.length > MOST_CHARACTERS ? undefined : tokensOf(text)
  if (tokens === undefined) return undefined
  const parser = new Parser(tokens, readTerm)
  const whole = parser.alternatives()
  return parser.isAtEnd ? whole : undefined
}

function tokensOf(text: string): string[] | undefined {
  const tokens = [...text.matchAll(TOKEN)].map(([token]) => token)
  return tokens.join('') === text ? tokens.filter(token => token.trim() !== '') : undefined
}

class Parser {
  readonly #tokens: string[]
  readonly #readTerm: ReadTerm

  constructor(tokens: string[], readTerm: ReadTerm) {
    this.#tokens = tokens
    this.#readTerm = readTerm
  }

  get isAtEnd(): boolean {
    return this.#tokens.length === 0
  }

  alternatives(): Named | undefined {
    return this.#list('OR', () => this.#list('AND', () => this.#part(), every), some)
  }

  #list(
    operator: string,
    read: () => Named | undefined,
    join: (parts: readonly Named[]) => Named,
  ): Named | undefined {
    const parts: Named[] = []
    do {
      const part = read()
      if (part === undefined) return undefined
      parts.push(part)
    } while (this.#take(operator))
    return join(parts)
  }

  #part(): Named | undefined {
    if (this.#take('(')) {
      const inner = this.alternatives()
      return this.#take(')') ? inner : undefined
    }
    const name = this.#name()
    if (name === undefined) return undefined
    if (!this.#take('WITH')) return this.#readTerm(name)
    const exception = this.#name()
    return exception === undefined
      ? undefined
      : withException(this.#readTerm(name), this.#readTerm(exception))
  }

  #name(): string | undefined {
    const [token] = this.#tokens
    return token === undefined || OPERATORS.has(token) ? undefined : this.#tokens.shift()
  }

  #take(operator: string): boolean {
    if (this.#tokens[0] !== operator) return false
    this.#tokens.shift()
    return true
  }
}

function some(parts: readonly Named[]): Named {
  const licenses = namesOf(parts)
  return { licenses, isClosed: licenses.length === 0 && parts.some(({ isClosed }) => isClosed) }
}

function every(parts: readonly Named[]): Named {
  const isOpen = parts.every(({ licenses }) => licenses.length > 0)
  return { licenses: isOpen ? namesOf(parts) : [], isClosed: parts.some(({ isClosed }) => isClosed) }
}

function withException(license: Named, { isClosed }: Named): Named {
  return isClosed ? { licenses: [], isClosed } : license
}

function namesOf(parts: readonly Named[]): string[] {
  return [...new Set(parts.flatMap(({ licenses }) => licenses))].sort()
}
