// Text in the SQL conditions that LanceDB takes.

export function quoteSql(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
