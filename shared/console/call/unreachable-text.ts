/** Whether this host name is that of a service on the user's own machine. */
export function isOwnMachine(hostname: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

/** What to say where a request gets no response, as the command line says it. */
export function unreachableText(address: string, { isChange }: { readonly isChange: boolean }): string {
  const advice = isOwnMachine(new URL(address).hostname) ? 'Check that it runs.' : 'Check your connection.';
  return `The service cannot be reached, or the connection broke: ${address}. ${advice}${outcomeText(isChange)}`;
}

/** What to say where a response has come that the browser cannot decode, or that is no JSON though it says so. */
export function unreadableText(address: string, { isChange }: { readonly isChange: boolean }): string {
  const cause = 'The connection broke, or a proxy changes what it passes on.';
  return `A response of ${address} cannot be read. ${cause}${outcomeText(isChange)}`;
}

function outcomeText(isChange: boolean): string {
  return isChange ? ' The request may have taken effect: look before you repeat it.' : '';
}
