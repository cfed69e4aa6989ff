/** Stored bytes are not what was written. The index is a cache: whoever catches this rebuilds it. */
export class DamagedIndex extends Error {
  override readonly name = 'DamagedIndex'
}
