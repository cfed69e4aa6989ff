// Swaps a folder for a link and back, as quickly as it can, until it is ended: FOLDER LINK-TARGET.
import { renameSync, rmSync, symlinkSync } from 'node:fs'

const [folder, target] = process.argv.slice(2)
const [aside, link] = [`${folder}.aside`, `${folder}.link`]
process.on('SIGTERM', () => process.exit())
process.stdout.write('ready\n')
const swap = () => {
  for (let time = 0; time < 50; time++) {
    symlinkSync(target, link)
    renameSync(folder, aside)
    renameSync(link, folder)
    rmSync(folder)
    renameSync(aside, folder)
  }
  setImmediate(swap)
}
swap()
