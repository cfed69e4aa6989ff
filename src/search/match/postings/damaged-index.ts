/** Stored bytes are not what was written. The index is a cache, so code that catches this rebuilds it. */
export class DamagedIndex extends Error {
  override readonly name = 'DamagedIndex'
}
