/**
 * Makes a value when it is first asked for, and keeps it. For libraries that are imported late: `import()` of a loaded
 * module still takes the loader some 30 µs, which a library of ten thousand files would pay several times each.
 */
export function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
