const NAMES: Readonly<Record<number, string>> = {
  200: 'OK',
  201: 'Created',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  413: 'Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable',
  429: 'Too Many Requests',
  500: 'Internal Error',
  502: 'Bad Gateway',
  503: 'Unavailable',
};

/** The name of a status of HTTP; empty for one that this service does not use. */
export function nameOfStatus(status: number): string {
  return NAMES[status] ?? '';
}
