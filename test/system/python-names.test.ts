// Generated modules of constants that name each other and may change, read by us and run by the machine's own
// Python: whatever is read without a warning is what the module has.
import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { pythonAst } from '../../src/parse/python/python-ast.ts'

const RUNNER = `
import json, sys

def run(text):
    space = {}
    try:
        exec(text, space)
        return {"value": json.loads(json.dumps(space["CONFIG"], default=list))}
    except Exception:
        return None

json.dump([run(text) for text in json.load(sys.stdin)], sys.stdout)
`

type Choose = (most: number) => number

function printModule(choose: Choose): string {
  const names: string[] = []
  const name = () => names[choose(names.length)] ?? '0'
  const list = (print: () => string) => Array.from({ length: choose(4) }, print).join(', ')
  const value = (depth: number): string => {
    const pick = choose(depth > 2 ? 6 : 12)
    if (pick < 2) return ['1', '-2.5', '"a"', 'True', 'None', "'b'"][choose(6)]!
    if (pick < 5) return name()
    if (pick === 5) return `f"x{${name()}}"`
    if (pick === 6) return `${name()} + ${name()}`
    if (pick < 9) return `[${list(() => (choose(3) === 0 ? `*${name()}` : value(depth + 1)))}]`
    return `{${list(() => member(depth))}}`
  }
  const member = (depth: number) => {
    if (choose(4) === 0) return `**${name()}`
    return `${['"a"', '"b"', "'c d'", name()][choose(4)]}: ${value(depth + 1)}`
  }
  const statement = (): string => {
    const [target, other] = [name(), name()]
    const changes = [
      `${target}["a"] = 7`,
      `${target}.append(8)`,
      `${target} += [${other}]`,
      `${target}.update(z=${other})`,
      `y = {"t": ${target}}; y["t"]["b"] = 5`,
      `del ${target}["a"]`,
      `assert ${target} != ${other}`,
      `${target} = ${other}`,
    ]
    return `try: ${changes[choose(changes.length)]}\nexcept Exception: pass`
  }
  const lines = Array.from({ length: 1 + choose(8) }, (_, index) => {
    if (index > 1 && choose(6) === 0) return statement()
    const line = `c${index} = ${value(0)}`
    names.push(`c${index}`)
    return line
  })
  return `${lines.join('\n')}\nCONFIG = ${value(0)}\n${choose(3) === 0 ? statement() : ''}\n`
}

it('Python has what was read', async () => {
  const modules = fc
    .sample(fc.infiniteStream(fc.nat()), 1_500)
    .map(choices => printModule(most => choices.next().value! % Math.max(1, most)))
  const output = execFileSync('python3', ['-c', RUNNER], {
    input: JSON.stringify(modules),
    maxBuffer: 1e9,
    encoding: 'utf8',
  })
  const ran: ({ value: unknown } | null)[] = JSON.parse(output)
  let compared = 0
  for (const [index, text] of modules.entries()) {
    const { metadata, diagnostics } = await pythonAst.parse({ text, extension: '.py' })
    const result = ran[index]
    if (diagnostics.length > 0 || !result) continue
    compared++
    expect(JSON.parse(JSON.stringify(metadata.config)), text).toEqual(result.value)
  }
  expect(compared).toBeGreaterThan(200)
})
