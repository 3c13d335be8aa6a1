import { seedOperations, viewSeed } from '../shared/contract/testkit/seeding.ts';
import { seedWorld } from '../shared/flows/testkit/seed.ts';
import { serve } from '../shared/http/serve.ts';

/** Fills the caller's test world with sample data, once for each profile. */
export const handler = serve(
  seedOperations.seedTestData,
  async ({ world, body, baseUrl, idempotencyKey, claim }) => {
    const input = { profile: body.profile, baseUrl, idempotencyKey, firstStep: claim.firstStep };
    const { report, changes } = await seedWorld(world, input);
    return { changes, response: viewSeed(report) };
  },
);
