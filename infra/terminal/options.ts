import { PERMISSIONS, PRESETS, type Preset } from '../../shared/contract/permissions.ts';
import { resolveVersion } from '../../shared/contract/versions.ts';
import { NETWORKS_MAX } from '../../shared/domain/api-key.ts';
import { isId } from '../../shared/domain/id.ts';
import { isNetwork } from '../../shared/domain/network.ts';
import { PAYMENT_METHODS } from '../../shared/domain/payment-method.ts';
import { PLAIN_URL, readPlainUrl } from '../../shared/domain/plain-url.ts';
import { EVENT_TYPES } from '../../shared/domain/resource.ts';
import { SEED_PROFILES } from '../../shared/domain/testkit/seed-script.ts';
import { MODES } from '../../shared/domain/world.ts';
import { NOTIFICATION_SECRET, PROVIDER_KINDS } from '../../shared/providers/provider-kinds.ts';
import { hostOf, isPublicHost } from '../../shared/webhooks/endpoint-url.ts';
import { SCHEME_NAMES } from '../../shared/webhooks/signature-schemes.ts';
import { STATE_FOLDER } from '../machine/state-folder.ts';
import { parseBaht } from './baht.ts';
import type { CommandForm, CommandGroup } from './command.ts';
import {
  address,
  count,
  duration,
  formed,
  instant,
  number,
  type Options,
  oneOf,
  orElse,
  required,
  several,
  text,
  toggle,
} from './option-form.ts';

/* What the commands of operators take, and the options of `pg`. */

const merchant = text('NAME', 'the name of the merchant');
const json = toggle('prints JSON');
const yes = toggle('skips the confirmation');
const dir = text('PATH', `data folder of the local service; without it, ${STATE_FOLDER} of the project`);
const stage = text('NAME', 'the name of the stage');
const standIn = address(
  'a target that stands in for AWS, as LocalStack: http://127.0.0.1:4566; without it, AWS, or what AWS_ENDPOINT_URL names',
);

/**
 * Strict, because the address becomes part of the policy of payers' pages: no character that ends a source there, and
 * the whole path of one file.
 */
const LOGO_URL =
  /^https:\/\/(?:[a-z\d](?:[a-z\d-]*[a-z\d])?\.)+[a-z][a-z\d-]*(?::\d{1,5})?(?:\/[\w.~%@:=+-]+)+$/i;
/** Browsers resolve these, and then the picture is not where the policy allows it. */
const DOT_SEGMENT = /\/(?:\.|%2e){1,2}(?:\/|$)/i;
const LOGO_URL_MAX_CHARS = 500;

/** The options of every command that works on a service. */
const SERVICE = { json, stack: text('NAME', 'a deployed stack instead of the local service'), dir };

export const KEYS = {
  says: 'Creates, lists, rolls, revokes and audits API keys.',
  options: SERVICE,
  commands: {
    create: {
      says: 'Creates an API key, and shows it once.',
      options: {
        merchant: required(
          formed(
            'NAME',
            'the name of the merchant; its first key creates it',
            'a name of 1 to 63 lower-case letters, digits and dashes',
            (name) => /^[a-z0-9][a-z0-9-]{0,62}$/.test(name),
          ),
        ),
        mode: orElse(oneOf('MODE', MODES), 'test'),
        preset: oneOf('PRESET', Object.keys(PRESETS) as Preset[]),
        permission: several(
          oneOf(
            'PERMISSION',
            PERMISSIONS,
            `can be repeated, and adds up with a preset: ${PERMISSIONS.join(', ')}`,
          ),
          PERMISSIONS.length,
        ),
        'expires-in': duration('its lifetime: 90s, 30m, 24h or 90d; without it, the key does not expire'),
        'allow-ip': several(
          formed(
            'NETWORK',
            'a network that it works from: 203.0.113.0/24, 2001:db8::/32 or one address; can be repeated',
            'a network: 203.0.113.0/24, 2001:db8::/32, or one address',
            isNetwork,
          ),
          NETWORKS_MAX,
        ),
        'pg-version': formed(
          'YYYY-MM-DD',
          'the version of the API; without it, the newest',
          'a date: YYYY-MM-DD',
          isVersion,
        ),
        label: formed('TEXT', 'a note for people', 'at most 100 characters', (label) => label.length <= 100),
      },
    },
    list: { says: 'Lists keys, of all merchants or of one.', options: { merchant } },
    roll: {
      says: 'Creates a key with the same grants and lifetime. The old key ends after the overlap.',
      takes: '<KEY_ID>',
      options: { overlap: duration('how long the old key keeps working; without it, 24h') },
    },
    revoke: { says: 'Ends a key with the next request.', takes: '<KEY_ID>' },
    audit: {
      says: 'Shows, newest first, who created, rolled and revoked keys, and what keys did to webhook endpoints.',
      options: { merchant, limit: orElse(number('N', 'how many entries at most'), 100) },
    },
  },
} as const satisfies CommandGroup;

export const MERCHANTS = {
  says: 'Sets the name and the logo of a merchant on the pages of its payers, in test and in live mode. "pg admin keys audit" shows who set them.',
  options: SERVICE,
  commands: {
    set: {
      says: 'Sets the name that payers see.',
      options: {
        merchant: required(merchant),
        name: required(text('TEXT', 'the name that payers see: "Acme Co., Ltd."')),
      },
    },
    clear: {
      says: "Removes it: payers see the merchant's own name.",
      options: { merchant: required(merchant) },
    },
    'set-logo': {
      says: "Sets the logo that payers see. Payers' browsers load it from its address; the service never does.",
      options: {
        merchant: required(merchant),
        url: required(
          formed(
            'URL',
            'the https address of the picture: https://cdn.example.com/logo.png',
            `an https address of a picture at a host name, at most ${LOGO_URL_MAX_CHARS} characters, without user name, query or fragment: https://cdn.example.com/logo.png`,
            isLogoUrl,
          ),
        ),
      },
    },
    'clear-logo': { says: 'Removes the logo.', options: { merchant: required(merchant) } },
    show: { says: 'Shows a merchant.', options: { merchant: required(merchant) } },
    list: { says: 'Lists all merchants.' },
  },
} as const satisfies CommandGroup;

export const PROVIDERS = {
  says: "Connects merchants' live worlds to payment providers.",
  options: SERVICE,
  commands: {
    connect: {
      says: 'Stores the secrets of a provider account, which are read from standard input.',
      options: {
        merchant: required(merchant),
        provider: required(oneOf('PROVIDER', Object.keys(PROVIDER_KINDS))),
      },
      more: `Secrets are a JSON object. Those of stripe: {"secret_key": "sk_…", "webhook_secret": "whsec_…"}
They are verified by retrieving the account, and stored. Then the webhook URL to enter at the provider is printed.
A provider shows the ${NOTIFICATION_SECRET} once that URL is entered: connect without it first, and again with it.
Connecting again replaces the secrets and keeps the URL. Secrets of a provider's test mode are for rehearsals.`,
    },
    list: { says: 'Lists live worlds and their connections.', options: { merchant } },
    check: {
      says: 'Verifies the account again, and reports problems.',
      options: { merchant: required(merchant) },
    },
    disconnect: {
      says: 'Deletes the secrets, so that no payment can be created or refunded.',
      options: {
        merchant: required(merchant),
        abandon: toggle(
          'disconnects despite open payments or refunds: they wait until this account is connected again',
        ),
        yes,
      },
    },
  },
} as const satisfies CommandGroup;

export const JOBS = {
  says: 'Shows the jobs that need manual review.',
  options: SERVICE,
  commands: {
    parked: { says: 'Shows the jobs that failed permanently, and why.' },
    unknown: {
      says: 'Shows the live payments and refunds whose outcome is unknown, since when, and the last response of their provider or the account to connect again. The service retries them by itself.',
    },
  },
} as const satisfies CommandGroup;

export const RESTORE = {
  says: 'Copies the table of a stage as it was at an instant into a new one, and prints the next command. The stage stays on its table until it is deployed on the copy: see infra/restore.md. The command can be repeated.',
  commands: {
    '': {
      options: {
        stage: required(stage),
        to: required(instant('the instant to restore, by its second: 2026-11-29T10:15:00+07:00')),
        json,
      },
    },
    report: {
      says: 'Shows what a service on restored data lacks: what waits in each world, and what a provider has that is not stored here. It changes nothing, and reads the whole table once.',
      options: {
        ...SERVICE,
        since: required(instant('the instant that was restored')),
        received: text(
          'FILE',
          'also compares the events that a receiver has got: a line of JSON for each, with its id and sequence; needs --merchant',
        ),
        merchant: text('NAME', 'the merchant of that receiver'),
        mode: orElse(oneOf('MODE', MODES), 'live'),
      },
    },
  },
} as const satisfies CommandGroup;

export const ERASE = {
  says: "Removes the payer's name, email, phone and IP address (client_ip) from a payment, its events, their deliveries and the saved responses of its Idempotency-Keys, and deletes the responses of receivers to its events. Amounts, times and all other data stay, including the merchant's reference, description and metadata. Data that was already sent to others is not recalled. The command can be repeated, also after an interruption. It writes an audit entry.",
  options: SERVICE,
  commands: {
    '': {
      options: {
        payment: required(
          formed('ID', 'the id of the payment', 'the id of a payment: pay_…', (id) => isId('pay', id)),
        ),
        merchant: required(merchant),
        mode: orElse(oneOf('MODE', MODES), 'live'),
        yes,
      },
    },
  },
} as const satisfies CommandGroup;

export const DEPLOY = {
  says: 'Builds and deploys a stage into the account and region of the environment, or onto a target that stands in for AWS.',
  commands: {
    '': {
      takes: '[CDK_ARGUMENTS...]',
      options: {
        stage,
        branch: text('NAME', 'the stage of this git branch; without it, of the current branch'),
        target: standIn,
        ttl: duration('may be removed this long from now, at midnight UTC: 7d; without it, it has no end'),
        app: text('DIR', 'deploys what "npm run synth" has built of the stage, and builds nothing'),
        json,
      },
      more: `Arguments after "--" are for CDK.
With --target, the account is bootstrapped where it is not, and a key of the stage is made and printed: an owner's, in test
mode, of a merchant named after the stage. Each deployment makes another, and earlier ones go on working.
--json prints {"stage", "base_url", "key"}, and everything else where errors go. The key is null without --target.`,
    },
  },
} as const satisfies CommandGroup;

export const DESTROY = {
  says: 'Removes a stage with everything in it.',
  commands: {
    '': {
      options: { stage, branch: text('NAME', 'the stage of this git branch'), target: standIn, yes },
    },
  },
} as const satisfies CommandGroup;

export const STAGES = {
  says: 'Shows the stages that are deployed in this account and region.',
  commands: {
    '': {
      options: {
        'older-than': duration('only those that were not deployed for this long: 7d'),
        ended: toggle('only those whose end has passed: see "pg admin deploy --ttl"'),
        'without-branch': toggle('only those of a git branch that is neither here nor at the remote'),
        destroy: toggle('removes what one of these three chooses: never production, nor what is protected'),
        target: standIn,
        json,
        yes,
      },
      more: 'Of several choices, each adds the stages that it chooses, and the line of a stage says why it was chosen.',
    },
  },
} as const satisfies CommandGroup;

export const DEFAULT_PORT = 4_010;
const PORT = /^(?:0|[1-9]\d{0,4})$/;
const PORT_MAX = 65_535;
export const port = formed(
  'PORT',
  `where it listens; without it, at PORT of the environment, or ${DEFAULT_PORT}; 0 for any that is free`,
  `a number from 0 to ${PORT_MAX}`,
  (given) => PORT.test(given) && Number(given) <= PORT_MAX,
);

/** What `npm start` and `pg start` take. */
export const START_FORM = {
  says: 'Runs the whole service on this machine.',
  options: {
    fresh: toggle('begins with nothing: what the folder holds of before is deleted'),
    memory: toggle('keeps the data in memory: it ends with the service'),
    dir: text('PATH', `where the data is kept; without it, in ${STATE_FOLDER} of the project`),
    port,
    host: text(
      'ADDRESS',
      'one more address to listen on, as 0.0.0.0 in a container: other machines can reach it then',
    ),
    lan: toggle('lets phones in the same private network open it, and prints its address as a QR code'),
    'public-url': address('the address under which a tunnel or a proxy passes requests on to it'),
    leash: toggle(
      'for a program that starts it: as with --memory, in a folder of its own; prints its address and key as one line of JSON, and ends when its standard input ends',
    ),
    quiet: toggle('prints no line for each request'),
    ahead: duration(
      'starts with its clock so far ahead, to rehearse live money with a provider on this machine: 16m',
    ),
  },
  more: 'A test key in PG_KEY becomes the key of its demo merchant.',
} as const satisfies CommandForm;

/** The options of all commands of `pg` but those of operators. */
export const PG = {
  json: toggle('prints the response of the API as JSON'),
  yes: toggle('skips the confirmation before purge and before any change with a live key'),
  'idempotency-key': text('KEY', 'repeats a command that may have taken effect, without a second effect'),
  'base-url': address('URL of a service other than the local one (or set PG_BASE_URL)'),
  key: formed(
    'KEY',
    'API key. Prefer PG_KEY: other users of this machine can see arguments',
    'an API key: pg_test_…',
    (given) => /^pg_(test|live)_\w+$/.test(given),
  ),
  dir,
};

/** The options of some commands of `pg`. */
export const PG_OPTIONS = {
  amount: { value: 'BAHT', says: 'baht and satang: 1299.00', read: parseBaht },
  method: { ...text('METHOD', PAYMENT_METHODS.join(', ')), choices: PAYMENT_METHODS },
  checkout: toggle('also creates a checkout page: checkout_url'),
  reference: text('TEXT', 'your own reference'),
  description: text('TEXT', 'description shown to the payer'),
  'reference-prefix': text('TEXT', 'only payments whose reference begins with this: 3 characters or more'),
  'amount-minor': text('SATANG', 'only payments of exactly this amount: 129900'),
  'customer-email': text('EMAIL', 'only payments with this email of the payer'),
  note: text('TEXT', 'what was done, for colleagues'),
  status: text('STATUS', 'only items with this status'),
  number: text('NUMBER', 'only the item with this number: P-000042'),
  'created-from': text('TIME', 'only items created then or later: 2026-11-22T09:00:00+07:00'),
  'created-to': text('TIME', 'only items created before then'),
  provider: text('NAME', 'only items of this provider'),
  'value-date': text('DAY', 'only items of this day: 2026-11-22'),
  type: { ...text('TYPE', 'only events of this type: payment.succeeded'), choices: EVENT_TYPES },
  'payment-id': text('ID', 'only items of this payment'),
  'resource-id': text('ID', 'only events of this payment, refund, link, payout or settlement'),
  limit: text('N', 'items per page, 1 to 100'),
  after: text('CURSOR', 'next page, with the same filters: the cursor after "More:" under the previous page'),
  'after-sequence': text('N', 'the events after this number, oldest first'),
  all: toggle('all pages'),
  delay: duration("delay of the outcome, on the merchant's clock"),
  'event-id': text('TEXT', "the provider's event id: a repeated id takes effect once"),
  'result-code': text('TEXT', "the provider's result code"),
  reason: text('TEXT', 'why it is refunded, for people'),
  'reason-code': count('N', 'a code for why it is refunded'),
  name: text('TEXT', 'a name for people'),
  url: { value: 'URL', says: 'your server: https://shop.example.com/webhooks', read: readUrl },
  'max-uses': count('N', 'how many payments can be made'),
  ttl: duration('how long the world exists, in real time: 5m to 24h; without it, 1h'),
  'starts-at': text('TIME', 'the first reading of its clock: 2027-03-01T09:00:00+07:00'),
  profile: { ...text('PROFILE', 'sample data to seed it with'), choices: SEED_PROFILES },
  trace: toggle('draws it as a tree by its traces: request, events, attempts to deliver them, jobs'),
  'print-only': toggle('prints the address, and opens no browser'),
  'fail-count': count('N', 'number of next deliveries to refuse'),
  'respond-status': count('N', 'HTTP status of its responses, 200 to 599'),
  data: {
    value: 'JSON',
    says: 'request fields as one JSON object, in addition to the options',
    read: readFields,
  },
  'forward-to': { value: 'URL', says: 'your server: http://127.0.0.1:3000/hook', read: readUrl },
  events: orElse(text('TYPES', 'only these types, separated by commas: payment.*,refund.succeeded'), '*'),
  since: duration(
    "starts this long ago on the merchant's clock, even with events that were already forwarded",
  ),
  overlap: duration('how long the previous secret also signs, rounded up to hours; without it, 24h'),
  once: number('N', 'ends after this number of events; exit code 1 if one of them got no 2xx response'),
  seed: number('N', 'the seed of everything random; without it, 1'),
  runs: number('N', 'tries this many seeds, from --seed on, until one fails'),
  stories: number('N', 'tells so many stories, each by the next seed, until a law does not hold'),
  seconds: number('N', 'goes on with the next seeds for so long'),
  save: text('FILE', 'writes the shortest scenario that fails to a new file'),
  'event-timeout': duration(
    'how long to wait for an event of a slow service, as of a target that stands in for AWS: 60s; without it, seconds',
  ),
  junit: text('FILE', 'also writes the results as JUnit XML'),
  receiver: { value: 'URL', says: 'the webhook receiver of your shop', read: readUrl },
  order: { value: 'URL', says: 'its test address that opens an order', read: readUrl },
  probe: { value: 'URL', says: 'its test address that tells of an order', read: readUrl },
  only: text('IDS', 'only these questions, by id or beginning: DUP,SIG-03'),
  groups: text('GROUPS', 'only the tools of these groups, separated by commas; without it, all'),
  html: text('FILE', 'also writes the report as one HTML file'),
  markdown: text('FILE', 'also writes the verdict as Markdown: for a comment on a pull request'),
  report: text('FILE', 'also writes the report as JSON: /schemas/exam.json has its schema'),
  story: toggle('prints what happened, line by line'),
  'print-secret': toggle('prints only the signing secret'),
  scheme: oneOf(
    'NAME',
    SCHEME_NAMES,
    `how requests are signed: ${SCHEME_NAMES.join(', ')}; without it, standardwebhooks`,
  ),
  'secret-env': formed(
    'NAME',
    'the variable of the environment that holds the secret of your receiver, where it has one of its own',
    'the name of a variable: WEBHOOK_SECRET',
    (name) => /^[A-Za-z_]\w*$/.test(name),
  ),
};
export type PgOption = keyof typeof PG_OPTIONS;

export function optionsOf(...names: readonly PgOption[]): Options {
  return Object.fromEntries(names.map((name) => [name, PG_OPTIONS[name]]));
}

function isLogoUrl(url: string): boolean {
  const read = url.length <= LOGO_URL_MAX_CHARS && LOGO_URL.test(url) ? readPlainUrl(url) : null;
  return read !== null && !DOT_SEGMENT.test(url) && isPublicHost(hostOf(read));
}

function isVersion(date: string): boolean {
  try {
    return resolveVersion(date) !== null;
  } catch {
    return false;
  }
}

/** @throws Error that does not repeat the text */
function readFields(given: string): object {
  try {
    const fields: unknown = JSON.parse(given);
    if (typeof fields === 'object' && fields !== null) {
      return fields;
    }
  } catch {
    // Refused below.
  }
  throw new Error('takes one JSON object.');
}

/** As it was typed. */
function readUrl(given: string): string {
  if (readPlainUrl(given) === null) {
    throw new Error(`takes a URL ${PLAIN_URL}: http://127.0.0.1:3000/hook.`);
  }
  return given;
}
