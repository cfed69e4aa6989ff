export interface Balancer {
  readonly port: number
  /** How many requests each server has answered, by port. */
  answered(): [port: number, count: number][]
  /** Puts another server in the place of `old`; without `old` it only adds one. */
  replace(old: number | undefined, port: number): void
  close(): Promise<void>
}

/** Starts serving at once; health checks decide which servers get requests. */
export function startBalancer(ports: readonly number[]): Promise<Balancer>
