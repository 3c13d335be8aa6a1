const ONE_INSTANT =
  'it shows at one instant alone, and the clocks of simulated processes differ by more than that';
const ONE_RUN = 'it takes two runs of a world in one process, and a simulated process has one, as in Lambda';
const NO_PROMISE = 'it is late by seconds, or comes once more, and the contract promises neither';
const LIVE = 'live mode needs a provider, which the simulated service has not';
const NETWORK =
  'names and addresses are looked up by the part that sends, and the simulated network is in its place';
const CLIENT = 'it is in the client that merchants use, and simulated clients send by themselves';
const PAGES = 'it is in the dashboard, which the simulated service does not show';

/** Defects that no story can show, each with the reason. */
export const BEYOND_SIMULATION: Readonly<Record<string, string>> = {
  'key-end-a-moment-late': ONE_INSTANT,
  'ended-world-open': ONE_INSTANT,
  'link-expiry-a-moment-late': ONE_INSTANT,
  'rest-of-settlement-lost': 'one settlement takes all that thousands of the largest payments leave',
  'paid-twice-into-balance': 'no flow changes a paid payment by this function',
  'settled-twice-at-once': 'the next settlement takes that money, and every story ends with one',
  'clock-moved-twice': 'the fence of the claim stops a second move as well',
  'completion-without-fence': 'a claim is completed once all the same, and the other run replays it',
  'due-job-beyond-horizon': 'a partition has to have more than a hundred jobs that are due at once',
  'list-over-two-blocks': 'a list has to have more than a thousand resources',
  'forged-entries-listed': 'it takes a function that writes what it never writes',
  'conflict-taken-for-passing': 'the request is refused all the same, half a second later',
  'unfinished-fork-answers': 'a small copy is finished before anybody has its key',
  'fork-fence': 'runners copy worlds of thousands of items alone, and simulated worlds are small',
  'refused-after-first-step': 'what works in several steps is refused before the first one, or never',
  'purge-without-counters': 'what stays has to be the first of a thousand, and reports leave out late writes',
  'erased-payer-published': 'simulated merchants erase no payer',
  'sequence-skips': ONE_RUN,
  'free-beside-held': ONE_RUN,
  'last-sequence-again': ONE_RUN,
  'released-lease-renewed': NO_PROMISE,
  'stalled-publisher-goes-on': NO_PROMISE,
  'lost-entry-attempted': NO_PROMISE,
  'small-jobs-lost': NO_PROMISE,
  'follow-up-forgotten': 'a move of the clock reads once more before it ends, and runs it then',
  'retry-decides-as-read':
    'of what stories ask for, only the number of a resource is bound to the world, and asks anew',
  'attempts-not-fenced': 'both runners have made the attempt, and the log shows one of them in any case',
  'claim-freed-by-others': 'a commit needs the claim of its own run: the other run begins again',
  'start-not-taken-over': LIVE,
  'shard-of-recent-day-unwatched': LIVE,
  'balance-of-first-shard': LIVE,
  'number-of-an-hour-ago': LIVE,
  'number-used-twice': LIVE,
  'stripe-signature-of-last-year': LIVE,
  'stripe-body-unsigned': LIVE,
  'metadata-address': NETWORK,
  'one-private-address': NETWORK,
  'mapped-loopback': NETWORK,
  'client-follows-redirects': CLIENT,
  'client-repeats-refusals': CLIENT,
  'client-waits-for-ever': CLIENT,
  'client-one-secret-of-two': CLIENT,
  'csv-return-first': PAGES,
  'csv-return-inside': PAGES,
  'csv-without-mark': PAGES,
  'csv-utc': PAGES,
  'csv-long-numbers': PAGES,
};

/** Defects that so few stories show that those of a minute do not, each with what has to come together. */
export const RARE_IN_STORIES: Readonly<Record<string, string>> = {
  'endpoint-without-last-pass':
    'a runner has to be frozen while it sends to an endpoint that is deleted, and a purge has to follow at once',
  'done-where-in-conflict':
    'what conflicts has to be still to be done: most often, another change has done it',
  'failed-entry-overtaken':
    'the store has to fail while an event gets its number, with a later event of its resource in the same run',
  'job-waits-twice': 'an attempt has to be queued between two reads of a queue by its runner',
};
