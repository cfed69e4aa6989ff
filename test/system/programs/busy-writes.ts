import { closeSync, openSync, writeSync } from 'node:fs'

/** Writes to nowhere, so that the Nth write that follows on this thread is not also the Nth of one of Node's own. */
export function busyWrites(): void {
  const nowhere = openSync('/dev/null', 'w')
  for (let count = 0; count < 200; count++) writeSync(nowhere, 'x')
  closeSync(nowhere)
}
