/**
 * The public base URL comes from configuration, never from a request: this environment variable of a function, or this
 * variable of the gateway's stage (contract §3).
 */
export const BASE_URL_VARIABLE = 'PUBLIC_BASE_URL';
