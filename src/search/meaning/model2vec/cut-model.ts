/** Cuts one word into the numbers of its known pieces. */
export interface CutModel {
  cut(word: string): number[]
  /** One more than the highest number. */
  readonly size: number
}
