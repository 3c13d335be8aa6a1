// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it quotes code.
import type { Defect } from './defect.ts';

/**
 * Small changes of order, of what a crash leaves, and of time: tests that run one thing after another let many of them
 * through. The simulated service is to find them.
 */
export const INTERLEAVINGS: readonly Defect[] = [
  /* Order */
  {
    id: 'requeued-at-the-end',
    file: 'shared/flows/dispatch/dispatcher.ts',
    old: '[...again, ...this.#waiting.filter(({ key }) => !keys.has(key.sk))];',
    planted: '[...this.#waiting.filter(({ key }) => !keys.has(key.sk)), ...again].toReversed();',
    shows: 'an event that waits again comes after a later one of its resource',
  },
  {
    id: 'fresh-beside-taken',
    file: 'shared/flows/dispatch/publisher.ts',
    old: 'firstSequence === null && !others.has(resourceId),',
    planted: 'firstSequence === null && !others.has(String(firstSequence) + resourceId),',
    shows: 'a later event is sent while another runner has the earlier one',
  },
  {
    id: 'free-beside-held',
    file: 'shared/flows/dispatch/publisher.ts',
    old: 'const free = entries.filter(({ resourceId }) => !others.has(resourceId));',
    planted: 'const free = entries.filter((entry) => !beside.includes(entry) || others.size > 99);',
    shows: 'two runs of one process send the events of a resource in any order',
  },
  {
    id: 'twin-sequence',
    file: 'shared/flows/dispatch/publisher.ts',
    old: 'const sequence = firstSequence + nth;',
    planted: 'const sequence = firstSequence + Math.min(nth, 1);',
    shows: 'two events have one sequence number',
  },
  {
    id: 'last-sequence-again',
    file: 'shared/flows/dispatch/publisher.ts',
    old: 'return { next: null, result: [] };',
    planted: 'return { next, result: [] };',
    shows: 'nothing is published any more after two runners took one number',
  },
  {
    id: 'resource-by-time',
    file: 'shared/store/events/outbox.ts',
    old: 'return entries.toSorted((one, other) => beganAt(one) - beganAt(other));',
    planted: 'return entries.toSorted((one, other) => beganAt(other) - beganAt(one));',
    shows: 'the newest events of a resource are sent first',
  },
  {
    id: 'jobs-by-partition',
    file: 'shared/store/scheduler/due.ts',
    old: 'items: items.toSorted((a, b) => (String(a.sk) < String(b.sk) ? -1 : 1)),',
    planted: 'items: items.toReversed(),',
    shows: 'later jobs run before earlier ones',
  },
  {
    id: 'follow-up-forgotten',
    file: 'shared/flows/jobs/due-queue.ts',
    old: 'key.sk <= this.#horizon);',
    planted: 'key.sk < this.#horizon.slice(0, 3));',
    shows: 'what a job makes due inside a move of the clock does not run in it',
  },
  {
    id: 'deliveries-beside',
    file: 'shared/flows/dispatch/dispatcher.ts',
    old: 'this.#lanes.set(resourceId, lane);',
    planted: 'this.#lanes.set(one.entry.key.sk, lane);',
    shows: 'two events of one payment are sent at the same time',
  },
  /* What a crash leaves */
  {
    id: 'answered-before-committed',
    file: 'shared/http/idempotent.ts',
    old: "if (outcome.kind === 'committed') {\n      return saved;",
    planted:
      "if (outcome.kind === 'committed' || !outcome.failed.includes(writes.length)) {\n      return saved;",
    shows: 'a request is answered, and what it says was never written',
  },
  {
    id: 'retry-decides-as-read',
    file: 'shared/http/idempotent.ts',
    old: 'await sleep(Math.random() * Math.min(PAUSE_MS * decision, PAUSE_MAX_MS));\n    moment = await momentAfter(moment);',
    planted: 'await sleep(Math.random() * Math.min(PAUSE_MS * decision, PAUSE_MAX_MS));',
    shows: 'a request whose world has changed is never answered',
  },
  {
    id: 'first-conflict-is-a-defect',
    file: 'shared/store/table/commit.ts',
    old: 'if (failed.length > 0) {\n      return',
    planted: 'if (failed.length > 0 && failed[0] !== 0) {\n      return',
    shows: 'a conflict on the first write is answered by a defect',
  },
  {
    id: 'done-where-in-conflict',
    file: 'shared/flows/jobs/job-attempts.ts',
    old: "if (outcome.kind === 'conflict') {\n      // A job that is gone was run by another runner.\n      return",
    planted:
      "if (outcome.kind === 'conflict') {\n      // A job that is gone was run by another runner.\n      await commit(jobs.map(({ key }) => remove(key)));\n      return true ||",
    shows: 'a job that conflicts is taken off the queue, and what it was for never happens',
  },
  {
    id: 'job-left-after-its-effect',
    file: 'shared/flows/jobs/job-attempts.ts',
    old: 'const all = [...writes, ...jobs.map(({ key }) => remove(key))];',
    planted: 'const all = writes.length > 0 ? [...writes] : jobs.map(({ key }) => remove(key));',
    shows: 'a queued provider event takes effect again and again',
  },
  {
    id: 'retry-not-queued',
    file: 'shared/flows/dispatch/attempt-recorder.ts',
    old: '          ...jobs,\n          ...logs.map(',
    planted: '          ...jobs.slice(1),\n          ...logs.map(',
    shows: 'an event that a receiver refused once is not sent again',
  },
  {
    id: 'entry-removed-first',
    file: 'shared/flows/dispatch/attempt-recorder.ts',
    old: '    const items = itemsOf(logs.map((attempts) => logDeliveries(this.#world, attempts, Date.now())));\n',
    planted:
      '    await writeAll([], keys);\n    const items = itemsOf(logs.map((attempts) => logDeliveries(this.#world, attempts, Date.now())));\n',
    shows: 'an attempt that was made before a crash is in no log',
  },
  {
    id: 'start-of-its-own',
    file: 'shared/store/requests/claim.ts',
    old: "condition: 'attribute_not_exists(pk) OR #ttl < :now',",
    planted: "condition: 'attribute_not_exists(pk) OR #ttl < :now OR attribute_exists(pk)',",
    shows: 'two requests with one key both have their effect',
  },
  {
    id: 'claim-freed-by-others',
    file: 'shared/store/requests/claim.ts',
    old: "condition: '#status = :inprogress AND leaseEndsAtMs = :lease',",
    planted: "condition: '#status = :inprogress AND (leaseEndsAtMs = :lease OR attribute_exists(pk))',",
    shows: 'a run that stalled takes the key from the run that took over',
  },
  {
    id: 'event-in-a-write-of-its-own',
    file: 'shared/store/writes.ts',
    old: '    insertOutboxEntry(world, after, { events, supersededJobs }, lease, Date.now()),\n  ];\n}\n\n/** Writes a resource of a seed',
    planted:
      '    ...(events.length > 2 ? [] : [insertOutboxEntry(world, after, { events, supersededJobs }, lease, Date.now())]),\n  ];\n}\n\n/** Writes a resource of a seed',
    shows: 'a change of several steps has no events',
  },
  /* Time */
  {
    id: 'lease-without-end',
    file: 'shared/store/scheduler/lease.ts',
    old: 'lease !== null && lease.owner !== this.#owner && lease.leaseEndsAtMs >= Date.now();',
    planted: 'lease !== null && lease.owner !== this.#owner && lease.leaseEndsAtMs > 0;',
    shows: 'what a runner held when it died is sent by nobody',
  },
  {
    id: 'expiry-a-second-early',
    file: 'shared/domain/payment.ts',
    old: 'const isDue = nowMs >= payment.expiresAtMs && canExpire(payment);',
    planted: 'const isDue = nowMs + 60_000 >= payment.expiresAtMs && canExpire(payment);',
    shows: 'a payment is refused in the last minute that its payer has',
  },
  {
    id: 'expiry-when-it-was-seen',
    file: 'shared/domain/payment.ts',
    old: "[changePayment(payment, [step(payment, 'expire', payment.expiresAtMs)])]",
    planted: "[changePayment(payment, [step(payment, 'expire', nowMs + 1)])]",
    shows: 'a payment expires when somebody looks, not when its time is over',
  },
  {
    id: 'queue-by-merchants-time',
    file: 'shared/store/scheduler/job.ts',
    old: '...dueIndex(world, about, job.dueAtMs - world.clockOffsetMs),',
    planted: '...dueIndex(world, about, job.dueAtMs),',
    shows: 'where a clock was moved, real time makes nothing due any more',
  },
  {
    id: 'moved-world-sleeps',
    file: 'shared/flows/jobs/wake-world.ts',
    old: 'if (due.length > 0 && !isMoving && world.clockOffsetMs !== 0) {',
    planted: 'if (due.length > 0 && !isMoving && world.clockOffsetMs < 0) {',
    shows: 'after a move of the clock, jobs wait for the next move',
  },
  {
    id: 'approval-a-minute-early',
    file: 'shared/domain/refund.ts',
    old: 'export const APPROVAL_AFTER_MS = 15 * MINUTE_MS;',
    planted: 'export const APPROVAL_AFTER_MS = 14 * MINUTE_MS;',
    shows: 'a refund can be canceled for 14 minutes, not 15',
  },
  {
    id: 'move-of-the-wrong-length',
    file: 'shared/store/testkit/clock-moves.ts',
    old: "':next': world.clockOffsetMs + move.seconds * SECOND_MS,",
    planted: "':next': world.clockOffsetMs + (move.seconds - 1) * SECOND_MS,",
    shows: 'an advance of 60 seconds moves the clock by 59',
  },
  {
    id: 'second-attempt-at-once',
    file: 'shared/domain/delivery.ts',
    old: 'const pause = PAUSES_MS[attempt - 1];\n  if',
    planted: 'const pause = PAUSES_MS[attempt];\n  if',
    shows: 'the first retry comes after five minutes, and there is one fewer',
  },
  {
    id: 'redelivered-later-in-time',
    file: 'shared/flows/jobs/job-effects.ts',
    old: 'const applied = await applyQueuedEvent(world, event, dueAtMs);',
    planted: 'const applied = await applyQueuedEvent(world, event, dueAtMs + 1_000_000);',
    shows: 'a delayed provider event takes effect as of a later time than it was due',
  },
  /* What stories have found */
  {
    id: 'late-money-without-method',
    file: 'shared/flows/apply-provider-event.ts',
    old: 'apply({ ...payment, method: payment.method ?? METHOD_OF_CHOICE })',
    planted: 'apply(payment)',
    shows: 'money that came after a cancel is in no day of the statistics',
  },
  {
    id: 'note-moves-expiry',
    file: 'shared/domain/payment.ts',
    old: 'after: { ...before, handled, version: before.version + 1 } };',
    planted: 'after: nextVersion(before, { handled }, nowMs) };',
    shows: 'a payment that somebody made a note on expires at the time of the note',
  },
  {
    id: 'retry-judged-anew',
    file: 'shared/http/parse.ts',
    old: '  if (errors.length > 0) {',
    planted: '  if (errors.length + errorsNow.length > 0) {',
    shows: 'a retry after the end of a link is refused, though the link was made',
  },
  {
    id: 'failed-entry-overtaken',
    file: 'shared/flows/dispatch/dispatcher.ts',
    old: 'if (!this.#isPublishing && !this.#hasFailed && added.length > 0) {',
    planted: 'if (!this.#isPublishing && added.length > 0) {',
    shows: 'after the store has failed, a later event goes before the one that it left',
  },
  {
    id: 'lease-item-for-ever',
    file: 'shared/store/scheduler/lease.ts',
    old: 'update(key, `${take}, #ttl = :ttl`, {',
    planted: 'update(key, `${take} REMOVE nothing${String(ttl).slice(99)}`, {',
    shows: 'a runner that was late leaves an item of a purged world, for good',
  },
  {
    id: 'next-run-for-ever',
    file: 'shared/flows/jobs/wake-world.ts',
    old: 'await dropLateNextRuns(found, pks ?? []);',
    planted: '',
    shows: 'a runner that was late leaves the next run of a purged world, which the clock finds every minute',
  },
  {
    id: 'first-attempt-overtakes',
    file: 'shared/flows/jobs/due-queue.ts',
    old: "return job.kind === 'deliver-event' && job.attempt === 1;",
    planted: "return job.kind === 'deliver-event' && job.attempt === 0;",
    shows: 'in a move of the clock, a slow endpoint gets an event before an earlier one of its resource',
  },
  {
    id: 'payment-of-old-clock',
    file: 'shared/flows/create-payment-at-provider.ts',
    old: 'const start = { ...newStart, atMs: nowMs };',
    planted: 'const start = nowMs < 0 ? { ...newStart, atMs: nowMs } : newStart;',
    shows: 'a payment that is created beside a move of the clock is older than one with a lower number',
  },
];
