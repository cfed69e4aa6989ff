// What the browser is told about every answer: the page runs its own scripts and no others, loads nothing from elsewhere, makes no
// markup out of text, is shown in no frame, and, but for its icon, is kept in no cache.

export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  'cache-control': 'no-store',
}

/** The icon, which browsers ask for again with each change of the address, says nothing about anybody. */
export const ICON_HEADERS: Readonly<Record<string, string>> = {
  ...PAGE_HEADERS,
  'cache-control': 'private, max-age=86400',
}
