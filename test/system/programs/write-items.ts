// Indexes COUNT items in batches, for ROUNDS rounds with new words each time: write-items DATABASE COUNT
// ROUNDS
import { openIndex } from '../../../src/search/sqlite/search-index.ts'
import { itemOf } from '../../search/sqlite/library.ts'

const [path, count, rounds] = process.argv.slice(2) as [string, string, string]
const index = await openIndex(new Map([['project', path]]))
process.stdout.write('ready\n')
for (let round = 1; round <= Number(rounds); round++) {
  for (let first = 0; first < Number(count); first += 50) {
    const numbers = Array.from({ length: Math.min(50, Number(count) - first) }, (_, number) => first + number)
    const upsert = numbers.map(number =>
      itemOf({
        id: `item${number}`,
        fields: { content: [`common words of round${round} and number${number}`] },
      }),
    )
    index.apply('project', { upsert, remove: [] })
  }
}
index.close()
process.stdout.write('done\n')
