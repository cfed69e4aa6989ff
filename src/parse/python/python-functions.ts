// Describes every function of a Python file as data: decorators, parameters, types, defaults, docstring.
// Files are read, never imported. A broken statement affects only itself. Strings and comments are skipped.
import type { Arg, ExprNode, FunctionDef, StmtNode } from 'py-ast'
import type { Diagnostic } from '../../base/index.ts'
import { readDocstring } from './docstring.ts'
import { loadPyAst, parsePython, readShape } from './module.ts'
import {
  dottedName,
  type PythonType,
  type PythonValue,
  readType,
  readValue,
  type TypeReader,
} from './python-type.ts'
import type { PythonSource } from './source.ts'

export interface PythonFunction {
  readonly name: string
  /** `Class.method`, `outer.inner`. */
  readonly qualifiedName: string
  /** What encloses it; `if` and `try` blocks do not count. */
  readonly scope: 'module' | 'class' | 'function'
  readonly isAsync: boolean
  readonly decorators: readonly PythonDecorator[]
  readonly parameters: readonly PythonParameter[]
  readonly returns?: PythonAnnotation
  /** Cleaned as `inspect.cleandoc` does. */
  readonly docstring?: string
  /** Where `def` or `async` begins. */
  readonly line: number
  readonly column: number
}

export interface PythonDecorator {
  /** The dotted name, or the source of an expression that has none. */
  readonly name: string
  readonly isCall: boolean
  readonly positional: readonly PythonValue[]
  /** In source order; `**options` has the name `**`. A repeated name is kept twice. */
  readonly keywords: readonly { readonly name: string; readonly value: PythonValue }[]
  readonly line: number
  readonly column: number
}

export interface PythonParameter {
  readonly name: string
  readonly kind: 'positional-only' | 'positional' | 'var-positional' | 'keyword-only' | 'var-keyword'
  readonly annotation?: PythonAnnotation
  readonly default?: PythonValue
  readonly line: number
  readonly column: number
}

export interface PythonAnnotation {
  readonly source: string
  readonly type: PythonType
}

export interface PythonFunctions {
  /** In source order. */
  readonly functions: readonly PythonFunction[]
  readonly diagnostics: readonly Diagnostic[]
}

/** Never throws. */
export async function readPythonFunctions(text: string): Promise<PythonFunctions> {
  const { parse } = await loadPyAst()
  const { statements, diagnostics } = await parsePython(readShape(text))
  const parseExpression = (expression: string): ExprNode | undefined => {
    try {
      const [only, ...rest] = parse(expression.trim()).body
      return only?.nodeType === 'Expr' && rest.length === 0 ? only.value : undefined
    } catch {
      // Not an expression: the annotation stays an unknown type.
      return undefined
    }
  }
  const functions = statements.flatMap(({ node, source }) =>
    findFunctions(node).map(found => describeFunction(found, { source, parse: parseExpression })),
  )
  return { functions, diagnostics }
}

type FunctionNode = StmtNode & { nodeType: 'FunctionDef' | 'AsyncFunctionDef' }

interface Found {
  readonly node: FunctionNode
  readonly scope: PythonFunction['scope']
  readonly path: readonly string[]
}

// Uses an explicit stack, since an `elif` chain nests as deep as it is long.
function findFunctions(root: StmtNode): Found[] {
  const found: Found[] = []
  const pending: { node: StmtNode; scope: PythonFunction['scope']; path: readonly string[] }[] = []
  pending.push({ node: root, scope: 'module', path: [] })
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node, scope, path } = next
    let inside = { scope, path }
    if (node.nodeType === 'FunctionDef' || node.nodeType === 'AsyncFunctionDef') {
      found.push({ node, scope, path })
      inside = { scope: 'function', path: [...path, node.name] }
    } else if (node.nodeType === 'ClassDef') inside = { scope: 'class', path: [...path, node.name] }
    for (const child of childrenOf(node).reverse()) pending.push({ node: child, ...inside })
  }
  return found
}

function childrenOf(node: StmtNode): StmtNode[] {
  return [
    ...('body' in node ? node.body : []),
    ...('handlers' in node ? node.handlers.flatMap(handler => handler.body) : []),
    ...('cases' in node ? node.cases.flatMap(one => one.body) : []),
    ...('orelse' in node ? node.orelse : []),
    ...('finalbody' in node ? node.finalbody : []),
  ]
}

function describeFunction({ node, scope, path }: Found, reader: TypeReader): PythonFunction {
  const { source } = reader
  const [first] = node.body
  const docstring = readDocstring(first && { node: first, source })
  return {
    name: node.name,
    qualifiedName: [...path, node.name].join('.'),
    scope,
    isAsync: node.nodeType === 'AsyncFunctionDef',
    decorators: node.decorator_list.map(decorator => describeDecorator(decorator, source)),
    parameters: describeParameters(node.args, reader),
    ...(node.returns && { returns: describeAnnotation(node.returns, reader) }),
    ...(docstring !== undefined && { docstring }),
    ...source.position(node.lineno, node.col_offset),
  }
}

function describeDecorator(node: ExprNode, source: PythonSource): PythonDecorator {
  const isCall = node.nodeType === 'Call'
  const target = isCall ? node.func : node
  return {
    name: dottedName(target) ?? source.slice(target),
    isCall,
    positional: isCall ? node.args.map(argument => readValue(argument, source)) : [],
    keywords: isCall
      ? node.keywords.map(({ arg, value }) => ({ name: arg ?? '**', value: readValue(value, source) }))
      : [],
    ...source.position(node.lineno, node.col_offset),
  }
}

function describeParameters(list: FunctionDef['args'], reader: TypeReader): PythonParameter[] {
  const one = (arg: Arg, kind: PythonParameter['kind'], value?: ExprNode | null): PythonParameter => ({
    name: arg.arg,
    kind,
    ...(arg.annotation && { annotation: describeAnnotation(arg.annotation, reader) }),
    ...(value && { default: readValue(value, reader.source) }),
    ...reader.source.position(arg.lineno, arg.col_offset),
  })
  // Defaults belong to the last of the positional parameters.
  const withoutDefault = list.posonlyargs.length + list.args.length - list.defaults.length
  const positional = [...list.posonlyargs, ...list.args].map((arg, index) =>
    one(
      arg,
      index < list.posonlyargs.length ? 'positional-only' : 'positional',
      list.defaults[index - withoutDefault],
    ),
  )
  return [
    ...positional,
    ...(list.vararg ? [one(list.vararg, 'var-positional')] : []),
    ...list.kwonlyargs.map((arg, index) => one(arg, 'keyword-only', list.kw_defaults[index])),
    ...(list.kwarg ? [one(list.kwarg, 'var-keyword')] : []),
  ]
}

function describeAnnotation(node: ExprNode, reader: TypeReader): PythonAnnotation {
  return { source: reader.source.slice(node), type: readType(node, reader) }
}
