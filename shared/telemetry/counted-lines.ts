/*
 * Lines of the log about live providers, which metric filters count and alarms watch. One definition, so
 * that no filter waits for a line that is never written.
 */

/** By the name of the metric: the message of the line. */
export const COUNTED_LINES = {
  ProviderOutcomeUnknown: 'a provider gave no clear response',
  OutcomeLongUnknown: 'an outcome has been unknown for long',
  NotificationUnmatched: 'a provider notification is about no payment or refund of this service',
  AmountMismatched: 'a provider says that another amount was paid',
  ProviderContradicted: 'a provider says what a status does not allow',
} as const;
