const YEAR_SECONDS = 365 * 24 * 60 * 60;

/**
 * Headers of every response: no type guessing, no referrer (an address may be a secret), no shared window, HTTPS only.
 * HSTS is sent over HTTPS only and excludes subdomains.
 */
export function securityHeaders(baseUrl: string): Readonly<Record<string, string>> {
  return {
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
    ...(baseUrl.startsWith('https:') && { 'Strict-Transport-Security': `max-age=${YEAR_SECONDS}` }),
  };
}
