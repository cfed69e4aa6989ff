// What a tool is told about its network: where the proxy is, under the names that programs know. Node programs learn it by a module
// of ours, since most versions of Node know none of these names.

/** `given` are the variables of the tool, `preload` is that module. */
export function networkVariables(
  proxyPort: number,
  preload: string,
  given: Readonly<Record<string, string>>,
): Record<string, string> {
  const address = `127.0.0.1:${proxyPort}`
  const names: Record<string, string> = {
    http_proxy: `http://${address}`,
    https_proxy: `http://${address}`,
    all_proxy: `http://${address}`,
    // The loopback of the sandbox; ports of the machine that the tool names are found there too.
    no_proxy: 'localhost,127.0.0.1,::1',
  }
  const upper = Object.entries(names).map(([name, value]) => [name.toUpperCase(), value])
  const quoted = preload.replaceAll(/["\\]/g, '\\$&')
  return {
    ...names,
    ...Object.fromEntries(upper),
    RYE_PROXY: address,
    NODE_OPTIONS: [given.NODE_OPTIONS ?? '', `--require="${quoted}"`].join(' ').trim(),
  }
}
