// Two names may refer to one object: when a value changes after it was set, so may what it was made of.

/** Adds to `changed` every name in what a changed name was set to, and so on for the names added. */
export function addSources<Source>(
  changed: Set<string>,
  sources: ReadonlyMap<string, readonly Source[]>,
  namesIn: (sources: readonly Source[]) => readonly string[],
): void {
  const seen = new Set<Source>()
  // Iterating a Set also visits names that are added meanwhile.
  for (const name of changed) {
    // Many names may share a source.
    const unseen = (sources.get(name) ?? []).filter(source => !seen.has(source))
    for (const source of unseen) seen.add(source)
    for (const part of namesIn(unseen)) changed.add(part)
  }
}
