// Counts what a task costs an agent, in bytes of UTF-8: the tools it is shown, the calls it writes, and the
// answers it reads.

/**
 * What a client puts before a model: the instructions of each server, and the name, description and input
 * schema of each tool.
 */
export function countListing(servers) {
  return sum(
    servers.map(({ instructions = '', tools }) => {
      const shown = tools.map(({ name, description, inputSchema }) => ({
        name,
        description,
        input_schema: inputSchema,
      }))
      return bytesOf(instructions) + bytesOf(JSON.stringify(shown))
    }),
  )
}

/** The bytes on the wire for that listing, which also has output schemas, annotations and titles. */
export function countWireListing(servers) {
  return sum(
    servers.map(({ instructions = '', tools }) => bytesOf(instructions) + bytesOf(JSON.stringify({ tools }))),
  )
}

/**
 * A call as the model writes it and the answer as it reads it: only the content, since `structuredContent`
 * repeats it. `wire` counts the call and both forms of the answer, as they are sent.
 */
export function countCall(name, input, result) {
  const written = JSON.stringify({ name, arguments: input })
  const read = result.content.map(block => (block.type === 'text' ? block.text : JSON.stringify(block)))
  return {
    out: bytesOf(written),
    in: sum(read.map(bytesOf)),
    wire: bytesOf(written) + bytesOf(JSON.stringify(result)),
  }
}

/** One side of a task: the sums over its calls, and its failure if it has one. */
export function addCalls(calls, failure = null) {
  return {
    calls: calls.length,
    out: sum(calls.map(call => call.out)),
    in: sum(calls.map(call => call.in)),
    wire: sum(calls.map(call => call.wire)),
    failure,
  }
}

/**
 * Both sides over all tasks. `alone` counts the listing once for each task, as when each runs in its own
 * session; `together` counts it once for all of them.
 */
export function addTasks(tasks, listing) {
  const side = name => {
    const of = field => sum(tasks.map(task => task[name][field]))
    const content = of('out') + of('in')
    return {
      calls: of('calls'),
      failures: tasks.filter(task => task[name].failure !== null).length,
      content,
      alone: content + tasks.length * listing[name].context,
      together: content + listing[name].context,
      wire: of('wire') + tasks.length * listing[name].wire,
    }
  }
  return { rye: side('rye'), listed: side('listed') }
}

/** The bytes of a task that runs in its own session. */
export function wholeTask(side, listing) {
  return side.out + side.in + listing.context
}

/** The median ratio of the tasks, which one long answer on either side does not move. */
export function medianRatio(tasks, listing) {
  const ratios = tasks
    .map(task => wholeTask(task.rye, listing.rye) / wholeTask(task.listed, listing.listed))
    .sort((a, b) => a - b)
  const half = ratios.length >> 1
  return ratios.length % 2 === 1 ? ratios[half] : (ratios[half - 1] + ratios[half]) / 2
}

/** The tasks as a Markdown table, ready to paste into a document. */
export function tableOf(tasks, listing) {
  const rows = tasks.map(({ name, rye, listed }) => {
    const ratio = wholeTask(rye, listing.rye) / wholeTask(listed, listing.listed)
    return [name, ...cells(rye, listing.rye), ...cells(listed, listing.listed), ratio.toFixed(2)]
  })
  const total = addTasks(tasks, listing)
  const both = ['rye', 'listed'].flatMap(name => {
    const field = of => sum(tasks.map(task => task[name][of]))
    return [field('calls'), field('out'), field('in'), total[name].alone]
  })
  rows.push(['all', ...both, (total.rye.alone / total.listed.alone).toFixed(2)])
  const head = ['task', ...['rye', 'five'].flatMap(side => [`${side}: calls`, 'out', 'in', 'whole']), 'ratio']
  const rule = head.map((_, column) => (column === 0 ? '---' : '---:'))
  return [head, rule, ...rows].map(row => `| ${row.join(' | ')} |`).join('\n')
}

function cells(side, listing) {
  const whole = wholeTask(side, listing)
  return [side.calls, side.out, side.in, side.failure === null ? whole : `${whole} (failed)`]
}

function bytesOf(text) {
  return Buffer.byteLength(text)
}

function sum(values) {
  return values.reduce((total, value) => total + value, 0)
}
