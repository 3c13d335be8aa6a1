/** What must hold in every story, with the section of the contract that says so. */
export const LAWS = {
  conservation: 'payments − refunds = unsettled + pending + paid out, after every commit (§8)',
  refundable: 'what refunds may still take is the amount less all live refunds, after every commit (§6)',
  'link-uses': 'a link holds a use for each open or paid payment, and never more than its maximum (§7)',
  life: 'a resource goes from one status to the next as its table says, never back (§5–§8)',
  'due-time': 'nothing happens before it is due, and what time ends has ended by then (§5, §6)',
  amount: 'an amount is what was asked for, and within its bounds (§5–§8)',
  number: 'no number is given out twice (§13)',
  epoch: 'nothing of a world that was purged is written, sent or left (§12)',
  'one-effect': 'a key has one effect, and every answer after the first is its replay, to the byte (§4)',
  'key-reuse': 'a key that was used is refused for another request, and free again after a day (§4)',
  refused: 'what the contract refuses is refused with its code, and changes nothing (§1, §2)',
  isolation: 'nobody sees an id of another merchant (§1)',
  'no-defect': 'no request is answered by internal_error (§2)',
  answered: 'every request is answered for good, once the weather is fair (§4)',
  clock: 'the clock of a world goes forward, by what was asked for (§11)',
  'delivery-order': 'events of one resource reach a receiver one after another, in their order (§10, §14)',
  'delivered-once': 'a receiver that took an event is not sent it again by the same runner (§10)',
  signature: 'every post is signed with each secret that is valid (§14)',
  schedule: 'attempts follow the schedule, and Retry-After within its bounds (§10, §14)',
  list: 'a list has what its filters let through, page by page, newest first (§13, §18)',
  report: 'balance and statistics are the sums of payments, refunds and payouts (§18)',
  copy: 'a fork has what its source had, and lives on its own (§16)',
  model: 'requests one by one are answered as a small model of a merchant says (§5–§9)',
  rest: 'at rest, money, numbers, events, deliveries and times agree (§5–§14)',
} as const;
export type Law = keyof typeof LAWS;

export interface Violation {
  readonly law: Law;
  readonly what: string;
}

/** Notes that a law is broken. */
export type Break = (law: Law, what: string) => void;
