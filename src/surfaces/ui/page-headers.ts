// Security headers of every answer. The page runs only its own scripts, loads nothing from elsewhere, cannot
// turn text into markup, cannot be framed, and is not cached, except for its icon.

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

/**
 * Browsers request the icon again at each change of the address, and it reveals nothing about anyone, so it
 * is cached.
 */
export const ICON_HEADERS: Readonly<Record<string, string>> = {
  ...PAGE_HEADERS,
  'cache-control': 'private, max-age=86400',
}
