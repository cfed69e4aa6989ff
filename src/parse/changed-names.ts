// Two names may stand for one thing: when a value changes after it was set, so may whatever it was made of.

/** Adds to `changed` the names in what a changed name was set to, and in what those were set to. */
export function addSources<Source>(
  changed: Set<string>,
  sources: ReadonlyMap<string, readonly Source[]>,
  namesIn: (sources: readonly Source[]) => readonly string[],
): void {
  const seen = new Set<Source>()
  // A set gives what is added while it is walked, too.
  for (const name of changed) {
    // Many names may be set to one thing.
    const unseen = (sources.get(name) ?? []).filter(source => !seen.has(source))
    for (const source of unseen) seen.add(source)
    for (const part of namesIn(unseen)) changed.add(part)
  }
}
