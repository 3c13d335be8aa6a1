const YEAR_SECONDS = 365 * 24 * 60 * 60;

/**
 * What browsers are told with every answer, for at every address they may be: not to guess at what it is, to tell nobody
 * its address (which may be all that it takes to pay, or to see who does), to share no window with pages of others, and
 * to come back over TLS alone. That last one is no word to be said without TLS, and not about anybody's subdomains.
 */
export function securityHeaders(baseUrl: string): Readonly<Record<string, string>> {
  return {
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
    ...(baseUrl.startsWith('https:') && { 'Strict-Transport-Security': `max-age=${YEAR_SECONDS}` }),
  };
}
