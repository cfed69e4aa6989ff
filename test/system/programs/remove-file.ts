// remove-file.mjs ROOT PATH: removes a file as the product does.
import { removeFile } from '../../../src/files/atomic-write.ts'

const [root, path] = process.argv.slice(2)
if (root === undefined || path === undefined) throw new Error('unreachable: arguments')
removeFile(path, { root })
