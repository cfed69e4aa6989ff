// Gives back what is no longer needed, now: V8 does so by itself only when it needs memory again, and keeps what its young heap has grown
// to. Only an inspector may tell it that memory is short, which shrinks that, too: a session of our own, which listens to nothing.

/** Takes a tenth of a second: for moments at which nobody waits. */
export async function releaseMemory(): Promise<void> {
  const { Session } = await import('node:inspector')
  const session = new Session()
  session.connect()
  try {
    await new Promise<void>(done => session.post('HeapProfiler.collectGarbage', () => done()))
  } finally {
    session.disconnect()
  }
}
