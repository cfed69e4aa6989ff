// Tells which scores can be among the best ones while scores are still being computed. Scores are counted in
// steps, not sorted.

/** How many steps there are from 0 to 1; a power of two, so that they are exact in 32-bit floats. */
const STEPS = 4096

export class BestScores {
  readonly #wanted: number
  readonly #counts = new Uint32Array(STEPS + 1)
  /** The lowest step of the best scores. `#above` counts the scores of this step or higher. */
  #step = 1
  #above = 0

  constructor(wanted: number) {
    this.#wanted = wanted
  }

  /** Scores below this are not among the best. */
  get least(): number {
    return this.#step / STEPS
  }

  /**
   * How many scores of `least` or more were counted beyond those wanted. That many can be left out of the
   * lowest step.
   */
  get surplus(): number {
    return Math.max(0, this.#above - this.#wanted)
  }

  isLowest(score: number): boolean {
    return score < (this.#step + 1) / STEPS
  }

  /** Counts a score that is `least` or more. */
  count(score: number): void {
    this.#counts[Math.min(STEPS, Math.trunc(score * STEPS))]! += 1
    this.#above += 1
    while (this.#above - this.#counts[this.#step]! >= this.#wanted) {
      this.#above -= this.#counts[this.#step]!
      this.#step += 1
    }
  }
}
