// Turns TypeScript into JavaScript by blanking: everything that exists only for types becomes spaces, so that
// every offset and line stays as the author sees it. Syntax that needs new code (enums, namespaces, parameter
// properties) is refused. The result is parsed again and compared, so a construct that blanking got wrong is
// an error here, never a changed program.
import { AppError, LineMap } from '../../base/index.ts'
import { parseJavaScript } from '../../parse/index.ts'
import { findChange } from './same-program.ts'
import { childrenOf, isNode, type Node, PROPERTIES, TYPE_STATEMENTS } from './syntax-nodes.ts'

const REFUSED: Readonly<Record<string, string>> = {
  TSEnumDeclaration: 'an enum',
  TSModuleDeclaration: 'a namespace',
  TSParameterProperty: 'a parameter property',
  TSImportEqualsDeclaration: 'an `import =`',
  TSExportAssignment: 'an `export =`',
}

/** A signature without a body, of an overload or an abstract method, is a `TSDeclareMethod`. */
const TYPE_MEMBERS = new Set(['TSIndexSignature', 'TSDeclareMethod'])
const TYPE_PARTS = new Set(['TSTypeAnnotation', 'TSTypeParameterDeclaration', 'TSTypeParameterInstantiation'])
const METHODS = new Set(['ClassMethod', 'ClassPrivateMethod'])
/** Nodes that end with a semicolon, written or not, except in the head of a loop. */
const CLOSED = new Set([
  ...PROPERTIES,
  'ExportDefaultDeclaration',
  'ExpressionStatement',
  'VariableDeclaration',
  'ReturnStatement',
  'ThrowStatement',
])
/**
 * At the start of a statement or of an arrow's body these begin a block or a declaration instead of a value.
 */
const NO_EXPRESSION = /^(?:\{|(?:function|class|async|let)\b)/
const MODIFIERS = /\b(?:public|private|protected|readonly|override|abstract|declare)\b/g

/**
 * JavaScript of the same length. Throws `ITEM_MALFORMED` for syntax errors and for what cannot be blanked.
 */
export async function stripTypes(source: string, filename: string): Promise<string> {
  const { program, failure } = await parseJavaScript(source, {
    language: 'typescript',
    sourceType: 'module',
  })
  if (failure) throw malformed(filename, source, failure.offset, failure.message)
  const blanker = new Blanker(source, filename)
  // The parser's node types are many; the walk relies on `type`, `start` and `end` alone and checks the rest.
  blanker.walk(program as unknown as Node)
  const stripped = blanker.text()
  const again = await parseJavaScript(stripped, { language: 'javascript', sourceType: 'module' })
  if (again.failure) throw malformed(filename, source, again.failure.offset, 'types here cannot be stripped')
  const changed = findChange(program as unknown as Node, again.program as unknown as Node)
  if (changed !== undefined) {
    const problem = 'removing the types would change what this means: put parentheses around it'
    throw malformed(filename, source, changed, problem)
  }
  return stripped
}

function malformed(filename: string, source: string, offset: number, problem: string): AppError {
  const { line, column } = new LineMap(source).position(offset)
  return new AppError('ITEM_MALFORMED', `\`${filename}\`, line ${line}, column ${column}: ${problem}`, {
    hint: 'use only TypeScript that can be erased: no enums, namespaces or parameter properties',
  })
}

class Blanker {
  readonly #source: string
  readonly #filename: string
  readonly #units: string[]
  /** Where an expression begins a statement, or the body of an arrow function. */
  readonly #beginnings = new Set<number>()

  constructor(source: string, filename: string) {
    this.#source = source
    this.#filename = filename
    this.#units = source.split('')
  }

  text(): string {
    return this.#units.join('')
  }

  /** Without recursion, because a long sum is a deep tree. */
  walk(program: Node): void {
    const waiting = [{ node: program, inHead: false }]
    const ends: number[] = []
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { node, inHead } = next
      if (this.#blankWhole(node)) continue
      const refused = REFUSED[node.type]
      if (refused) throw malformed(this.#filename, this.#source, node.start, `${refused} cannot be stripped`)
      this.#stripOwn(node)
      if (CLOSED.has(node.type) && !inHead) ends.push(node.end)
      const isLoop = node.type.startsWith('For')
      for (const child of childrenOf(node).toReversed())
        waiting.push({ node: child, inHead: isLoop && child !== node.body })
    }
    for (const end of ends) this.#closeStatement(end)
  }

  #blankWhole(node: Node): boolean {
    const isAbstract = PROPERTIES.has(node.type) && node.abstract === true
    if (this.#isTypeStatement(node) || TYPE_MEMBERS.has(node.type) || isAbstract) {
      this.#blankStatement(node)
      return true
    }
    if (!TYPE_PARTS.has(node.type)) return false
    this.#blank(node.start, node.end)
    return true
  }

  #isTypeStatement(node: Node): boolean {
    if (TYPE_STATEMENTS.has(node.type) || node.declare === true) return true
    if (node.importKind === 'type' || node.exportKind === 'type') return node.type.endsWith('Declaration')
    const inner =
      node.type === 'ExportNamedDeclaration' || node.type === 'ExportDefaultDeclaration'
        ? node.declaration
        : null
    return isNode(inner) && this.#isTypeStatement(inner)
  }

  /** Blanks what this node itself adds for types, leaving its children alone. */
  #stripOwn(node: Node): void {
    const inner = node.expression
    switch (node.type) {
      case 'TSAsExpression':
      case 'TSSatisfiesExpression':
      case 'TSNonNullExpression':
        if (isNode(inner)) this.#blank(inner.end, node.end)
        return
      case 'TSTypeAssertion':
        if (isNode(inner)) this.#stripAssertion(node, inner)
        return
      case 'ExpressionStatement':
        if (isNode(inner)) this.#beginnings.add(inner.start)
        return
      case 'ExportDefaultDeclaration':
        if (isNode(node.declaration)) this.#beginnings.add(node.declaration.start)
        return
      case 'ImportSpecifier':
      case 'ExportSpecifier':
        if (node.importKind === 'type' || node.exportKind === 'type') this.#blankListed(node)
        return
      case 'ClassDeclaration':
      case 'ClassExpression':
        this.#stripClassHead(node)
        return
      case 'ArrowFunctionExpression':
        if (isNode(node.body)) this.#beginnings.add(node.body.start)
        this.#joinTypes(node)
        this.#stripParameters(node)
        return
      case 'FunctionDeclaration':
      case 'FunctionExpression':
      case 'ObjectMethod':
        this.#stripParameters(node)
        return
      case 'VariableDeclarator':
        if (node.definite === true) this.#blankMarkBefore(node.id)
        return
    }
    if (METHODS.has(node.type)) this.#stripParameters(node)
    if (METHODS.has(node.type) || PROPERTIES.has(node.type)) this.#stripMember(node)
  }

  #stripClassHead(node: Node): void {
    if (node.abstract === true) this.#blank(node.start, node.start + 'abstract'.length)
    const listed = Array.isArray(node.implements) ? node.implements.filter(isNode) : []
    const first = listed[0]
    if (first) this.#blank(this.#source.lastIndexOf('implements', first.start), listed.at(-1)!.end)
  }

  #stripParameters(node: Node): void {
    const parameters = Array.isArray(node.params) ? node.params.filter(isNode) : []
    for (const [index, parameter] of parameters.entries()) {
      if (index === 0 && parameter.type === 'Identifier' && parameter.name === 'this')
        this.#blankListed(parameter)
      else if (parameter.optional === true) this.#blankMarkBefore(parameter)
    }
  }

  #stripMember(node: Node): void {
    if (!isNode(node.key)) return
    const head = this.#source.slice(node.start, node.key.start)
    for (const match of head.matchAll(MODIFIERS)) {
      this.#blank(node.start + match.index, node.start + match.index + match[0].length)
    }
    if (node.optional !== true && node.definite !== true) return
    let mark = node.key.end
    while (/[\s\]]/.test(this.#source[mark] ?? '')) mark += 1
    if (this.#source[mark] === '?' || this.#source[mark] === '!') this.#blank(mark, mark + 1)
  }

  /** Blanks the `?` or `!` between a binding and its annotation, or at its end. */
  #blankMarkBefore(binding: unknown): void {
    if (!isNode(binding)) return
    let mark = (isNode(binding.typeAnnotation) ? binding.typeAnnotation.start : binding.end) - 1
    while (/\s/.test(this.#source[mark] ?? '')) mark -= 1
    if (this.#source[mark] === '?' || this.#source[mark] === '!') this.#blank(mark, mark + 1)
  }

  /**
   * `<T>value`. A line break left in its place would end a `return` before it, and a value that begins with a
   * brace would become a block.
   */
  #stripAssertion(node: Node, inner: Node): void {
    this.#blank(node.start, inner.start)
    this.#join(node.start, inner.start)
    if (!this.#beginnings.has(node.start)) return
    if (NO_EXPRESSION.test(this.#source.slice(inner.start, inner.start + 10))) {
      const problem = 'a type in angle brackets cannot be stripped here: write `(value as Type)`'
      throw malformed(this.#filename, this.#source, node.start, problem)
    }
    this.#beginnings.add(inner.start)
  }

  // There must be no line break between the parameters of an arrow function and its arrow, nor between
  // `return` or `async` and them.
  #joinTypes({ typeParameters, returnType, start, body }: Node): void {
    if (isNode(typeParameters)) this.#join(start, this.#source.indexOf('(', typeParameters.end))
    if (isNode(returnType) && isNode(body))
      this.#join(returnType.start, this.#source.indexOf('=>', returnType.end))
  }

  #blankListed(node: Node): void {
    let comma = node.end
    while (/\s/.test(this.#source[comma] ?? '')) comma += 1
    this.#blank(node.start, this.#source[comma] === ',' ? comma + 1 : node.end)
  }

  // The semicolon keeps the line before it from continuing on the line after it.
  #blankStatement(node: Node): void {
    this.#blank(node.start, node.end)
    this.#units[node.start] = ';'
  }

  /** A statement without a semicolon whose end was blanked gets one, for the same reason. */
  #closeStatement(end: number): void {
    const blanked = this.#units[end - 1] === ' ' && this.#source[end - 1] !== ' '
    if (blanked) this.#units[end - 1] = ';'
  }

  #join(start: number, end: number): void {
    for (let at = start; at < end; at++) if (isLineEnd(this.#units[at]!)) this.#units[at] = ' '
  }

  #blank(start: number, end: number): void {
    for (let at = start; at < end; at++) if (!isLineEnd(this.#units[at]!)) this.#units[at] = ' '
  }
}

function isLineEnd(unit: string): boolean {
  return unit === '\n' || unit === '\r' || unit === '\u2028' || unit === '\u2029'
}
