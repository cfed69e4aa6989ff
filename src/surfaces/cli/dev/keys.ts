// Single keys pressed by a person at the terminal. Without a terminal there are none, and nothing waits for
// them.

export interface Keys {
  readonly areThere: boolean
  /** The keys pressed since the last call. */
  take(): string[]
  close(): void
}

export function listenForKeys(stdin: NodeJS.ReadStream): Keys {
  if (!stdin.isTTY) return { areThere: false, take: () => [], close() {} }
  const pressed: string[] = []
  const listen = (chunk: Buffer) => pressed.push(...chunk.toString('utf8'))
  stdin.setRawMode(true)
  stdin.on('data', listen)
  stdin.resume()
  return {
    areThere: true,
    take: () => pressed.splice(0),
    close() {
      stdin.off('data', listen)
      stdin.setRawMode(false)
      stdin.pause()
    },
  }
}
