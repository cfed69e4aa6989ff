// A project's `.env`: lines of `NAME=value`, with `export`, single or double quotes and `#` comments. Nothing
// is expanded or run.

export function parseDotenv(text: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>()
  for (const line of text.split(/\r\n|\n|\r/)) {
    const match = /^\s{0,64}(?:export\s{1,8})?([A-Za-z_]\w{0,127})\s{0,64}=(.*)$/s.exec(line)
    if (match !== null) values.set(match[1]!, readValue(match[2]!.trim()))
  }
  return values
}

function readValue(text: string): string {
  const quote = text[0]
  if (quote === '"' || quote === "'") {
    const end = text.indexOf(quote, 1)
    if (end !== -1) {
      const inner = text.slice(1, end)
      return quote === '"' ? inner.replaceAll('\\n', '\n') : inner
    }
  }
  const comment = text.search(/\s#/)
  return comment === -1 ? text : text.slice(0, comment).trimEnd()
}
