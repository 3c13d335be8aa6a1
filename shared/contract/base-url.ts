/**
 * Where the service answers, said by whoever runs it and by nobody who asks: an environment variable of a function, or
 * a variable of the gateway's stage (contract §3).
 */
export const BASE_URL_VARIABLE = 'PUBLIC_BASE_URL';
