import { byPlural, perResource, RESOURCES } from '../../domain/resource.ts';

const PROFILE =
  '`small` has ten payments and their related objects, `month` 300 payments of the last 30 days, `e2e` one object in every status.';

const COUNTS = byPlural(perResource((name) => `Number of ${RESOURCES[name].plural.replace('_', ' ')}.`));

export const seedDocs = {
  operations: {
    seedTestData: [
      'Seed the test world with sample data',
      `${PROFILE} A profile is added once, to whatever exists: a repeated seed returns \`already_seeded: true\` with the same ids. \`ids\` has notable objects by name. Seeded history sends no webhooks; open objects continue on the merchant's clock.`,
    ],
  },
  schemas: {
    SeedProfile: { about: `The sample data for the test world: ${PROFILE}` },
    SeedCounts: { about: 'Number of objects of each kind.', ...COUNTS, sinks: 'Number of webhook sinks.' },
    SeedSummary: {
      about: 'Totals of the payments of a seed.',
      from: 'Time of creation of the first payment.',
      to: 'Time of creation of the last payment.',
      gross_minor: 'Sum of the succeeded payments, in minor units.',
      refunded_minor: 'Sum of their succeeded refunds, in minor units.',
      currency: 'ISO 4217 currency code of both sums.',
    },
    SeedReport: {
      about: 'The objects that a seed has created in the test world, now or earlier.',
      already_seeded: 'True if this profile was seeded before, so nothing was added.',
      profile: `The requested profile: ${PROFILE}`,
      created: 'Number of objects of each kind that this request created.',
      ids: 'The ids of notable objects, by scenario name: `payment.requires_action.promptpay`.',
      skipped: 'Number of objects of each kind that existed already.',
      summary: 'Totals of the payments.',
    },
    SeedTestDataRequest: {
      about: 'The sample data to create in the test world.',
      profile: `The sample data to create: ${PROFILE}`,
    },
  },
} as const;
