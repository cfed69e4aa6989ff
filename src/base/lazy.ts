/**
 * Makes a value when it is first asked for, and keeps it. Used for libraries that are imported late: calling
 * `import()` for an already loaded module still takes some 30 µs, which a library of ten thousand files would
 * pay several times per file.
 */
export function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
