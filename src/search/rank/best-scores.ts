// Which of many scores can be among the best so many, told while they are still being made: by counts of them in steps, not by order.

/** Steps of a score from 0 to 1; a power of two, so that they are exact in numbers of 32 bits. */
const STEPS = 4096

export class BestScores {
  readonly #wanted: number
  readonly #counts = new Uint32Array(STEPS + 1)
  /** Scores of this step or a higher one were counted so often. */
  #step = 1
  #above = 0

  constructor(wanted: number) {
    this.#wanted = wanted
  }

  /** Lower scores are not among the best. */
  get least(): number {
    return this.#step / STEPS
  }

  /** How many of the lowest step that is `least` or more were counted beyond those that are wanted. */
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
