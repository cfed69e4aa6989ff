// Opens ports in the network of a sandbox before its tool starts, and passes the listening sockets to the
// server over their channel. The first argument is the port of the proxy. Connections made while this program
// ends wait in the kernel.
const { createServer } = require('node:net')

const ports = process.argv.slice(2).map(Number)
process.once('disconnect', () => process.exit(0))

async function main() {
  for (const port of ports) {
    process.send(port, await listen(port, '127.0.0.1'))
    // Programs try both addresses of `localhost`; some sandboxes have only one.
    const other = await listen(port, '::1').catch(() => null)
    if (other) process.send(port, other)
  }
  process.send('done')
}

function listen(port, host) {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen({ port, host, ipv6Only: true }, () => resolve(server))
  })
}

main()
