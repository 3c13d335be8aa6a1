import type { Endpoint } from '../endpoint.ts';
import type { LoggedRequest } from '../logged-request.ts';
import { derivedPageSecret, qrSecretOf, replacePageTokens } from '../page-token.ts';
import type { Payment } from '../payment.ts';
import { newLinkCode, type PaymentLink } from '../payment-link.ts';
import { derivedBase62, derivedBytes, derivedCrockford, newSigningSecret, randomBase62 } from '../secret.ts';
import type { World } from '../world.ts';
import { newSinkToken, tokenOf } from './sink.ts';

/** 190 random bits. */
const SECRET_CHARS = 32;
/** A body that shows a link shows its code first of all fields of that name. */
const CODE_FIELD = /"code":"([^"]*)"/;
const LINK_EVENT = '"type":"payment_link.';
const LINK_PATH = '/l/';

/** Gives what a fork copies the addresses and secrets of the copy. */
export interface ForkAddresses {
  readonly codeOf: (code: string) => string;
  readonly sinkTokenOf: (token: string) => string;
  readonly secretOf: (sink: Endpoint) => string;
  readonly ofPayment: (payment: Payment) => Payment;
  readonly ofLink: (link: PaymentLink) => PaymentLink;
  /** @param body of a published event */
  readonly ofEvent: (body: string) => string;
  readonly ofRequest: (request: LoggedRequest) => LoggedRequest;
}

/**
 * The addresses of one copy. All are derived, by HMAC, from a secret that is drawn for this copy and never stored: the
 * same address in the source always becomes the same one in the copy, and neither can be computed from the other.
 * @param sinks the source's
 */
export function forkAddresses(
  source: Pick<World, 'id'>,
  target: Pick<World, 'id'>,
  sinks: readonly Endpoint[],
  secret: string = randomBase62(SECRET_CHARS),
): ForkAddresses {
  const pageSecretOf = (paymentId: string) => derivedPageSecret(secret, `page ${paymentId}`);
  const codeOf = (code: string) => newLinkCode((chars) => derivedCrockford(secret, `code ${code}`, chars));
  const sinkTokenOf = (token: string) =>
    newSinkToken((chars) => derivedBase62(secret, `sink ${token}`, chars));
  const tokens = sinks.map(tokenOf);
  const readdress = (text: string) => {
    const withPages = replacePageTokens(text, source.id, ({ paymentId, isQr }) => {
      const pageSecret = pageSecretOf(paymentId);
      return { worldId: target.id, paymentId, secret: isQr ? qrSecretOf(pageSecret) : pageSecret };
    });
    return tokens.reduce((each, token) => each.replaceAll(token, sinkTokenOf(token)), withPages);
  };
  const ofLink = <Link extends Pick<PaymentLink, 'code' | 'url'>>(link: Link): Link => {
    const code = codeOf(link.code);
    return { ...link, code, url: link.url.replace(`${LINK_PATH}${link.code}`, `${LINK_PATH}${code}`) };
  };
  return {
    codeOf,
    sinkTokenOf,
    secretOf: ({ id }) => newSigningSecret(derivedBytes(secret, `signs ${id}`)),
    ofPayment: (payment) => ({
      ...(JSON.parse(readdress(JSON.stringify(payment))) as Payment),
      pageSecret: pageSecretOf(payment.id),
      ...(payment.linkCode !== undefined && { linkCode: codeOf(payment.linkCode) }),
    }),
    ofLink,
    ofEvent: (body) => {
      const readdressed = readdress(body);
      if (!body.includes(LINK_EVENT)) {
        return readdressed;
      }
      const event = JSON.parse(readdressed) as { readonly data: { readonly object: PaymentLink } };
      return JSON.stringify({ ...event, data: { ...event.data, object: ofLink(event.data.object) } });
    },
    ofRequest: (request) => {
      const { requestBody, responseBody, operation, code: problem } = request;
      const showsLink = problem === null && operation.endsWith('PaymentLink');
      const code = showsLink ? CODE_FIELD.exec(responseBody ?? '')?.[1] : undefined;
      const shown = responseBody && readdress(responseBody);
      return {
        ...request,
        requestBody: requestBody && readdress(requestBody),
        responseBody: code === undefined ? shown : (shown?.replaceAll(code, codeOf(code)) ?? null),
      };
    },
  };
}
