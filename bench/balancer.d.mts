export interface Balancer {
  readonly port: number
  /** How many requests each server has answered, by port. */
  answered(): [port: number, count: number][]
  /** Another server takes the place of one; of none without the first. */
  replace(old: number | undefined, port: number): void
  close(): Promise<void>
}

/** Serves at once; health decides who gets requests. */
export function startBalancer(ports: readonly number[]): Promise<Balancer>
