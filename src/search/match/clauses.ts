// Clauses: built by the compiler, and evaluated to sets of documents.
import type { Clause, LeafCounts } from './compiled-query.ts'
import type { DocSet } from './doc-set.ts'

export function joinClauses(kind: 'and' | 'or', children: readonly Clause[]): Clause {
  const distinct = kind === 'and' ? children.filter(child => child.kind !== 'all') : children
  if (distinct.length === 0) return { kind: 'all' }
  return distinct.length === 1 ? distinct[0]! : { kind, children: distinct }
}

/** Counts the leaves that a match may have, so none below a NOT, and adds them to the counts in `before`. */
export function countLeaves(clauses: readonly Clause[], before: LeafCounts = new Map()): LeafCounts {
  const counts = new Map(before)
  for (const clause of clauses) addLeaves(clause, counts)
  return counts
}

function addLeaves(clause: Clause, counts: Map<number, number>): void {
  if (clause.kind === 'leaf') counts.set(clause.leaf, (counts.get(clause.leaf) ?? 0) + 1)
  else if (clause.kind === 'and' || clause.kind === 'or')
    for (const child of clause.children) addLeaves(child, counts)
}

/** The documents of a clause, given those of each leaf and the set of all. The result may be changed. */
export function evaluateClause(clause: Clause, leafSet: (leaf: number) => DocSet, all: DocSet): DocSet {
  switch (clause.kind) {
    case 'all':
      return all.copy()
    case 'leaf':
      return leafSet(clause.leaf).copy()
    case 'not':
      return all.copy().remove(evaluateClause(clause.child, leafSet, all))
    case 'and':
    case 'or': {
      const [first, ...others] = clause.children
      const set = evaluateClause(first!, leafSet, all)
      for (const other of others) {
        // The set of a leaf is only read here, so it need not be copied.
        const added = other.kind === 'leaf' ? leafSet(other.leaf) : evaluateClause(other, leafSet, all)
        if (clause.kind === 'or') set.unite(added)
        else if (set.keep(added).isEmpty()) break
      }
      return set
    }
  }
}
