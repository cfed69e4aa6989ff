// Tells a tool where its proxy is, by the variables that programs know. Node programs are told by a module of
// ours, since most versions of Node know none of these names.

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
    // The sandbox's own loopback. Ports of this machine that the tool names are served there, too.
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
