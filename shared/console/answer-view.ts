/// <reference lib="dom" />
import type { Child, Elements } from './elements.ts';
import type { AnyJson, GateAnswer } from './gate.ts';

interface ShownProblem {
  readonly title: string;
  readonly code: string;
  readonly detail?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly errors?: readonly { readonly field: string; readonly message: string }[];
}

interface AnswerActions {
  /** Sends the same request again, with the same Idempotency-Key; null if the operation takes none. */
  readonly repeat: (() => void) | null;
  /** Focuses the field that a problem names. */
  readonly goTo: (field: string, message: string) => void;
}

export type AnswerView = ReturnType<typeof createAnswerView>;

/** Shows a response: status, duration, problem, body, headers, and the command that sends the same request. */
export function createAnswerView(root: string, { el, refill }: Pick<Elements, 'el' | 'refill'>) {
  /** Coloring longer text would make the page slow. */
  const COLORED_MAX_CHARS = 60_000;

  function showAnswer(answer: GateAnswer, actions: AnswerActions): HTMLElement {
    const { status, durationMs, headers, json } = answer;
    const replayed = headers.some(([name]) => name.toLowerCase() === 'idempotent-replayed');
    const isProblem = status >= 400 && json !== undefined;
    return el(
      'div',
      { class: 'answer' },
      el(
        'p',
        { class: 'outcome' },
        el('span', { class: `status s${Math.floor(status / 100)}` }, `${status} ${nameOf(status)}`.trim()),
        el('span', { class: 'duration' }, `${durationMs} ms`),
        replayed && el('span', { class: 'badge' }, 'Idempotent-Replayed: the saved response'),
        actions.repeat !== null &&
          el('button', { type: 'button', class: 'small', click: actions.repeat }, 'Same key again'),
      ),
      isProblem && showProblem(json, actions.goTo),
      showPicture(json),
      showText('Body', json === undefined ? answer.text : JSON.stringify(json, null, 2)),
      showHeaders(headers),
      el('details', {}, el('summary', {}, 'As a command'), showText('curl', asCommand(answer))),
    );
  }

  /** @param goTo if set, focuses an invalid field */
  function showProblem(
    { title, code, detail, details = {}, errors = [] }: ShownProblem,
    goTo?: AnswerActions['goTo'],
  ): HTMLElement {
    const faults = errors.map(({ field, message }) =>
      el(
        'li',
        {},
        goTo === undefined
          ? field
          : el('button', { type: 'button', class: 'link', click: () => goTo(field, message) }, field),
        ` ${message}`,
      ),
    );
    const page = `${root}/errors/${encodeURIComponent(code)}`;
    return el(
      'div',
      { class: 'problem' },
      el('p', {}, el('strong', {}, title), ' ', el('code', {}, code)),
      detail !== undefined && el('p', {}, detail),
      ...Object.entries(details).map(([name, value]) => el('p', {}, el('code', {}, `${name}: ${value}`))),
      faults.length > 0 && el('ul', {}, ...faults),
      el('p', {}, el('a', { href: page, target: '_blank', rel: 'noreferrer' }, `What ${code} means`)),
    );
  }

  /** The QR that a payer would scan, if this service serves it. */
  function showPicture(json: AnyJson): Child {
    const address: unknown = json?.next_action?.qr?.image_svg_url;
    if (typeof address !== 'string' || !address.startsWith(`${location.origin}/`)) {
      return null;
    }
    return el('img', {
      class: 'qr',
      src: address,
      alt: 'The PromptPay QR of this payment',
      width: 148,
      height: 148,
    });
  }

  /** Text to read and to copy. @param shown the displayed text, if it differs from the copied one */
  function showText(name: string, text: string, shown = text): HTMLElement {
    const copy = el('button', { type: 'button', class: 'small copy' }, 'Copy');
    copy.addEventListener('click', async () => {
      await navigator.clipboard.writeText(text);
      copy.textContent = 'Copied';
    });
    return el(
      'div',
      { class: 'text' },
      el('div', { class: 'text-head' }, el('h4', {}, name), copy),
      // It scrolls, so it must be reachable by keyboard.
      el('pre', { tabindex: 0, role: 'region', 'aria-label': name }, ...colored(shown)),
    );
  }

  function colored(text: string): Child[] {
    const token = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null|-?\d+(?:\.\d+)?)\b/g;
    if (text.length > COLORED_MAX_CHARS || !/^[[{]/.test(text)) {
      return [text];
    }
    const parts: Child[] = [];
    let end = 0;
    for (const match of text.matchAll(token)) {
      const kind = match[2] !== undefined ? 'name' : match[1] !== undefined ? 'string' : 'literal';
      const shown = kind === 'name' ? (match[1] ?? '') : match[0];
      parts.push(text.slice(end, match.index), el('span', { class: `j-${kind}` }, shown));
      end = match.index + shown.length;
    }
    return [...parts, text.slice(end)];
  }

  function showHeaders(headers: readonly (readonly [name: string, value: string])[]): HTMLElement {
    const rows = headers.map(([name, value]) =>
      el('tr', {}, el('th', { scope: 'row' }, name), el('td', {}, value)),
    );
    return el(
      'details',
      { open: true },
      el('summary', {}, `Headers (${headers.length})`),
      el('table', { class: 'headers' }, el('tbody', {}, ...rows)),
    );
  }

  /** The key is a variable, since a copied command may be pasted anywhere. */
  function asCommand({ request: { method, path, headers, body, isKeyed } }: GateAnswer): string {
    const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
    const sent = Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`);
    return [
      `curl -X ${method} ${quote(location.origin + root + path)}`,
      ...(isKeyed ? ['-H "Authorization: Bearer $PG_TEST_KEY"'] : []),
      ...sent,
      ...(body === undefined ? [] : [`-d ${quote(body)}`]),
    ].join(' \\\n  ');
  }

  function nameOf(status: number): string {
    const names: Readonly<Record<number, string>> = {
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
      503: 'Unavailable',
    };
    return names[status] ?? '';
  }

  /** Whether a part of the page can be shown. If not, shows the reason in its place. */
  function isReadable(place: HTMLElement, { status, json }: GateAnswer): boolean {
    if (status === 200) {
      return true;
    }
    const required = json?.details?.required;
    const reason =
      required === undefined ? (json?.title ?? `Response: ${status}.`) : `This key lacks ${required}.`;
    refill(place, reason, () => [el('p', { class: 'hint' }, reason)]);
    return false;
  }

  return { showAnswer, showProblem, showText, showHeaders, isReadable };
}
