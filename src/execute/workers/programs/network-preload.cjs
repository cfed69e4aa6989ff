// Loaded before every Node program in a sandbox that has a network. Requests through `fetch`, `node:http` and
// `node:https` go through the proxy of the sandbox. Other programs learn of it from `HTTPS_PROXY`, which not
// every Node knows.
const http = require('node:http')
const https = require('node:https')
const net = require('node:net')
const tls = require('node:tls')

const [proxyHost, proxyPort] = (process.env.RYE_PROXY ?? '').split(':')
const LOCAL = new Set(['localhost', '127.0.0.1', '::1', '[::1]'])
const HEADER_BYTES = 65_536

/** Calls back with a socket that is connected to the destination. */
function tunnel(host, port, callback) {
  const socket = net.connect(Number(proxyPort), proxyHost)
  const authority = `${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${port}`
  let received = Buffer.alloc(0)
  const fail = fault => {
    socket.destroy()
    callback(fault)
  }
  // Not through `data` events: the socket must be left neither flowing nor paused.
  const read = () => {
    const chunk = socket.read()
    if (chunk === null) return
    received = Buffer.concat([received, chunk])
    const end = received.indexOf('\r\n\r\n')
    if (end === -1) {
      if (received.length > HEADER_BYTES) fail(new Error('the proxy of the sandbox broke its protocol'))
      return
    }
    socket.off('readable', read).off('error', fail).off('end', ended)
    const [, status, reason] = /^HTTP\/1\.1 (\d{3}) ?([^\r\n]*)/.exec(received.toString('latin1')) ?? []
    if (status !== '200') {
      fail(Object.assign(new Error(reason ?? 'refused'), { code: 'ECONNREFUSED' }))
      return
    }
    if (received.length > end + 4) socket.unshift(received.subarray(end + 4))
    callback(null, socket)
  }
  const ended = () =>
    fail(Object.assign(new Error('the proxy of the sandbox hung up'), { code: 'ECONNRESET' }))
  socket.on('readable', read).once('error', fail).once('end', ended)
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`)
}

function isDirect({ host, hostname, path, socketPath }) {
  return Boolean(socketPath ?? path) || LOCAL.has(hostname ?? host ?? 'localhost')
}

function secure(options, socket) {
  const host = (options.servername || options.hostname || options.host).replace(/^\[|\]$/g, '')
  // With a socket, `host` is only the name that the certificate must bear.
  return tls.connect({ ...options, host, servername: net.isIP(host) ? '' : host, socket, path: undefined })
}

function useProxy(agent, isSecure) {
  const native = agent.createConnection
  agent.createConnection = function createConnection(options, callback) {
    // Here `path` is that of the request, not of a socket.
    if (isDirect({ ...options, path: undefined })) return native.call(this, options, callback)
    tunnel(options.hostname ?? options.host, options.port, (fault, socket) => {
      if (fault) callback(fault)
      else callback(null, isSecure ? secure(options, socket) : socket)
    })
    return undefined
  }
}

/**
 * The library behind `fetch` is loaded when it is first needed, and its classes can be reached only through
 * the objects that it makes.
 */
function proxyFetch() {
  const KEY = Symbol.for('undici.globalDispatcher.1')
  const native = globalThis.fetch
  let isReady = false
  const prepare = () => {
    isReady = true
    void globalThis.Response
    const before = globalThis[KEY]
    const connect = (options, callback) => {
      const { hostname, port, protocol } = options
      const done = (fault, socket) => {
        if (fault) callback(fault)
        else if (protocol === 'https:') finish(secure({ ...options, ALPNProtocols: ['http/1.1'] }, socket))
        else callback(null, socket)
      }
      const finish = socket => {
        socket.once('error', callback)
        socket.once('secureConnect', () => {
          socket.off('error', callback)
          callback(null, socket)
        })
      }
      const actual = port || (protocol === 'https:' ? 443 : 80)
      if (!LOCAL.has(hostname)) tunnel(hostname, actual, done)
      else {
        const socket = net.connect(Number(actual), hostname.replace(/^\[|\]$/g, ''))
        socket.once('error', done).once('connect', () => {
          socket.off('error', done)
          done(null, socket)
        })
      }
    }
    const value = new before.constructor({ connect })
    Object.defineProperty(globalThis, KEY, { value, writable: true, enumerable: false, configurable: false })
  }
  globalThis.fetch = function fetch(input, init) {
    if (!isReady) prepare()
    return native(input, init)
  }
}

if (proxyPort) {
  useProxy(http.Agent.prototype, false)
  useProxy(https.Agent.prototype, true)
  if (typeof globalThis.fetch === 'function') proxyFetch()
}
