import { callTexts } from './call-texts.ts';

const texts = callTexts.noResponse;

/** Whether this host name is that of a service on the user's own machine. */
export function isOwnMachine(hostname: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

/** What to say where a request gets no response, as the command line says it. */
export function unreachableText(address: string, { isChange }: { readonly isChange: boolean }): string {
  const advice = isOwnMachine(new URL(address).hostname) ? texts.checkService : texts.checkConnection;
  return `${texts.unreachable(address)} ${advice}${outcomeText(isChange)}`;
}

/** What to say where a response has come that the browser cannot decode, or that is no JSON though it says so. */
export function unreadableText(address: string, { isChange }: { readonly isChange: boolean }): string {
  return `${texts.unreadable(address)}${outcomeText(isChange)}`;
}

function outcomeText(isChange: boolean): string {
  return isChange ? ` ${texts.mayHaveTakenEffect}` : '';
}
