/** Stored bytes that cannot be what we wrote. The index is a cache: whoever meets this makes it anew. */
export class DamagedIndex extends Error {
  override readonly name = 'DamagedIndex'
}
