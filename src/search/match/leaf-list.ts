// The leaves of a compiled query. Equal leaves are stored once, however many clauses name them.
import type { Clause, Leaf } from './compiled-query.ts'
import { printPattern } from './patterns.ts'

export class LeafList {
  readonly leaves: Leaf[] = []
  /** The index of each leaf, by its text. */
  readonly #indexes = new Map<string, number>()

  add(leaf: Leaf): Clause {
    const choices = [leaf.slots, ...(leaf.also ?? [])].map(slots => slots.map(printPattern).join(' '))
    const key = `${leaf.field ?? ''} ${leaf.near ?? ''} ${choices.join(' also ')}`
    const index = this.#indexes.get(key) ?? this.leaves.push(leaf) - 1
    this.#indexes.set(key, index)
    return { kind: 'leaf', leaf: index }
  }
}
