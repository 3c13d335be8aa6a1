import { allOperations } from '../../../shared/contract/operations.ts';

const BODY_IDS = allOperations.flatMap(({ bodyId = [] }) => bodyId);

/** What the service requires beyond the schemas of its document. */
export interface Rule {
  /** The operations, and `field: code` of what the rule refuses. */
  readonly of: RegExp;
  readonly refuses: RegExp;
  /** Where and how the rule is documented. */
  readonly says: string;
}

/** Every reason for which a request that fits its schema may still be refused for its form: the contract's paragraphs. */
export const RULES: readonly Rule[] = [
  { of: /./, refuses: new RegExp(`^(${BODY_IDS.join('|')}): mismatch$`), says: '§2: the id of the path' },
  { of: /CreatePayment/, refuses: /^client_ip: format$/, says: '§5: an IPv4 or IPv6 address' },
  {
    of: /CreatePayment$/,
    refuses: /^customer\.phone: format$/,
    says: '§5: a phone number, in the ways in which people write one',
  },
  {
    of: /\.(List|Get)/,
    refuses: /^(created_from|value_date|from|to): max$/,
    says: '§18: no day after tomorrow',
  },
  { of: /ListSettlements/, refuses: /^value_date: format$/, says: '§18: days of the calendar' },
  { of: /\.List/, refuses: /^after: format$/, says: '§13: a cursor is what a page gave out' },
  { of: /ListEvents/, refuses: /^after: conflict$/, says: '§14: a cursor goes back, after_sequence on' },
  { of: /CreatePaymentLink/, refuses: /^amount\.min: (conflict|max)$/, says: '§7: min ≤ max' },
  { of: /CreatePaymentLink/, refuses: /^expires_at: (min|max)$/, says: '§7: at most 366 days ahead' },
  { of: /SimulatePayout/, refuses: /^return_reason: conflict$/, says: '§8: a reason for what returns' },
  { of: /SimulateSettlement/, refuses: /^value_date: max$/, says: '§8: no day of the future' },
  { of: /GetDailyStatistics/, refuses: /^(from|to): format$/, says: '§18: days of the calendar' },
  { of: /GetDailyStatistics/, refuses: /^to: (min|max)$/, says: '§18: at most 92 days' },
  { of: /RecoverEvents/, refuses: /^since: (min|max)$/, says: '§14: at most 30 days back' },
  { of: /CreateTestWorld/, refuses: /^starts_at: (min|max)$/, says: '§16: at most two years ahead' },
  { of: /WebhookEndpoint/, refuses: /^url: (format|forbidden)$/, says: '§14: https to a public host' },
  { of: /CreateWebhookSink/, refuses: /^sinks: max$/, says: '§10: 20 sinks' },
  { of: /AdvanceClock/, refuses: /^seconds: max$/, says: '§11: two years in all' },
];
