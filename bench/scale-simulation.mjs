// What ten million items and a hundred thousand agents would demand of object storage and of servers:
// simulates caches, writers and compaction with figures that were measured, or are marked as assumed.
// node bench/scale-simulation.mjs

/**
 * Measured figures. Those marked `given` were measured earlier, on two cores; the others by the command
 * named.
 */
const MEASURED = {
  // node bench/object-requests.mjs 20000
  textRequests: { cold: 33, warm: 19.8 },
  vectorRequests: { cold: 91, warm: 43.5 },
  readKilobytes: { text: 2949, vector: 1835 },
  commitRequests: 17,
  commitSeconds: 0.154,
  // given: a million rows on a local disk
  millionRows: { writeSeconds: 42, indexSeconds: 15, p50: 13, p95: 37 },
}

const ASSUMED = {
  items: 10_000_000,
  itemBytes: 2048,
  agents: 100_000,
  /** The share of agents at work in the busiest hour, and how often each calls. */
  activeShare: 0.1,
  callsPerMinute: 2,
  searchShare: 0.6,
  /** Popularity of items: the exponent of Zipf's law. */
  skew: 0.9,
  /** Seconds per request to object storage in the same region. */
  requestSeconds: 0.02,
  /** Dollars per thousand reads, per thousand writes, and per gigabyte and month. */
  prices: { read: 0.0004, write: 0.005, storage: 0.023 },
  /** Each item changes once a month. */
  changesPerItemAndMonth: 1,
}

const cacheSizes = [10_000, 100_000, 500_000, 1_000_000]
const writers = [1, 4, 16, 64, 256]

const load = loadOf(ASSUMED)
console.log(`busiest hour: ${load.calls} calls/s, ${load.searches} searches/s, ${load.loads} loads/s`)
console.log('\ncache of items, of one server                hit rate  reads/s of storage')
for (const size of cacheSizes) {
  const rate = hitRate(size, ASSUMED)
  console.log(
    row([
      `${size} items, ${gigabytes(size * ASSUMED.itemBytes)}`,
      percent(rate),
      (load.loads * (1 - rate)).toFixed(0),
    ]),
  )
}
console.log(
  '\nsearches                                    requests  requests/s     $/month   s waiting    MB/s read',
)
for (const [name, requests, kilobytes] of searchPlans()) {
  const perSecond = load.searches * requests
  const month = (perSecond * 3600 * 8 * 22 * ASSUMED.prices.read) / 1000
  console.log(
    row([
      name,
      requests.toFixed(1),
      perSecond.toFixed(0),
      month.toFixed(0),
      (rounds(requests) * ASSUMED.requestSeconds).toFixed(2),
      ((load.searches * kilobytes) / 1024).toFixed(0),
    ]),
  )
}
console.log('\nwriters, each with one commit a second     commits/s    attempts  p95 wait s')
for (const count of writers) {
  const { perSecond, attempts, p95 } = simulateWriters(count)
  console.log(row([String(count), perSecond.toFixed(1), attempts.toFixed(1), p95.toFixed(1)]))
}
console.log('\nitems to a commit                        commits/day   unindexed rows at the end of a day')
for (const batch of [1, 100, 1000, 10_000]) {
  const changes = (ASSUMED.items * ASSUMED.changesPerItemAndMonth) / 30
  const commits = Math.ceil(changes / batch)
  console.log(row([String(batch), String(commits), String(Math.round(changes))]))
}
const scale = ASSUMED.items / 1_000_000
const { writeSeconds, indexSeconds } = MEASURED.millionRows
const bytes = ASSUMED.items * (ASSUMED.itemBytes + 602)
console.log(
  `\nfirst sync of all, one writer: ${((writeSeconds * scale) / 60).toFixed(0)} min; index: ${((indexSeconds * scale) / 60).toFixed(1)} min, if both stay linear`,
)
console.log(`storage: ${gigabytes(bytes)}, $${((bytes / 1e9) * ASSUMED.prices.storage).toFixed(2)} a month`)

function loadOf({ agents, activeShare, callsPerMinute, searchShare }) {
  const calls = (agents * activeShare * callsPerMinute) / 60
  return {
    calls: Math.round(calls),
    searches: Math.round(calls * searchShare),
    loads: Math.round(calls * (1 - searchShare)),
  }
}

/**
 * Plans: the index read from storage each time, the index in memory or on the server's disk, and answers to
 * earlier questions kept.
 */
function searchPlans() {
  const { textRequests: text, vectorRequests: vector } = MEASURED
  const both = text.warm + vector.warm
  // Questions are as skewed as items, over a tenth as many.
  const repeated = hitRate(20_000, { items: ASSUMED.items / 10, skew: ASSUMED.skew })
  const { text: textKb, vector: vectorKb } = MEASURED.readKilobytes
  return [
    ['text and vectors, cold process', text.cold + vector.cold, textKb + vectorKb],
    ['text and vectors, warm process', both, textKb + vectorKb],
    ['text alone, warm process', text.warm, textKb],
    [
      `the same, answers kept (${percent(repeated)} repeated)`,
      text.warm * (1 - repeated),
      textKb * (1 - repeated),
    ],
    ['a local copy of the index, rows fetched', 2, 100],
  ]
}

/** How many requests follow one another when eight run at a time. */
function rounds(requests) {
  return Math.max(1, Math.ceil(requests / 8))
}

/** The hit rate of a cache that keeps the most recently used items: Che's approximation for Zipf's law. */
function hitRate(size, { items, skew }) {
  // Items of nearly the same rank are grouped.
  const groups = []
  for (let from = 1, step = 1; from <= items; from += step, step = Math.max(1, Math.floor(from / 50))) {
    const count = Math.min(step, items - from + 1)
    groups.push({ count, weight: (from + count / 2) ** -skew })
  }
  const total = groups.reduce((sum, { count, weight }) => sum + count * weight, 0)
  const kept = time =>
    groups.reduce((sum, { count, weight }) => sum + count * (1 - Math.exp((-weight / total) * time)), 0)
  let [low, high] = [0, 1e15]
  for (let turn = 0; turn < 200; turn++) {
    const middle = (low + high) / 2
    if (kept(middle) < size) low = middle
    else high = middle
  }
  return groups.reduce(
    (sum, { count, weight }) => sum + ((count * weight) / total) * (1 - Math.exp((-weight / total) * low)),
    0,
  )
}

/**
 * Each writer wants one commit a second. A commit that another one overtook is retried after a pause that
 * doubles.
 */
function simulateWriters(count, seconds = 300) {
  const random = seeded(11)
  const took = () => MEASURED.commitSeconds * (0.7 + 0.6 * random())
  let lastCommit = 0
  let [commits, attempts] = [0, 0]
  const waits = []
  const events = Array.from({ length: count }, () => {
    const wanted = random()
    return { wanted, begun: wanted, ends: wanted + took(), tries: 1 }
  })
  for (;;) {
    const event = events.reduce((first, other) => (other.ends < first.ends ? other : first))
    if (event.ends > seconds) break
    const now = event.ends
    attempts += 1
    if (lastCommit > event.begun) {
      event.begun = now + Math.min(5, 0.05 * 2 ** event.tries) * random()
      event.tries += 1
    } else {
      lastCommit = now
      commits += 1
      waits.push(now - event.wanted)
      event.wanted = Math.max(now, event.wanted + 1)
      event.begun = event.wanted
      event.tries = 1
    }
    event.ends = event.begun + took()
  }
  waits.sort((one, other) => one - other)
  return {
    perSecond: commits / seconds,
    attempts: attempts / commits,
    p95: waits[Math.floor(waits.length * 0.95)] ?? Number.NaN,
  }
}

function row([first, ...others]) {
  return first.padEnd(44) + others.map(text => text.padStart(12)).join('')
}

function percent(share) {
  return `${(share * 100).toFixed(0)} %`
}

function gigabytes(count) {
  return `${(count / 1e9).toFixed(1)} GB`
}

/** A seeded random generator: the same numbers in each run. */
function seeded(seed) {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}
