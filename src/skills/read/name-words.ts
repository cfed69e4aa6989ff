// The words of an identifier: `fetchHTTPPage_url2` → fetch, http, page, url2. Rules about names match whole
// words, so the `add` in `address` and the `api` in `capital` do not count.

export function nameWords(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(word => word !== '')
}
