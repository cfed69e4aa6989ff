// Quotes text for the SQL conditions that LanceDB accepts.

export function quoteSql(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
