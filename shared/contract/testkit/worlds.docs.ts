const WORLD = {
  id: 'The id of the world: `wld_…`.',
  name: 'The given name, or its default.',
  expires_at: 'When the world ends by itself, in real time.',
  clock: "The world's clock as of this response.",
};

export const worldDocs = {
  operations: {
    createTestWorld: [
      'Create a test world',
      "An empty or seeded world beside the merchant's own test world, with a key of its own that has every permission. Worlds share nothing: keys, ids, clock, numbers, sinks, endpoints and idempotency keys are each world's own. It ends by itself at `expires_at`, no later than the key and the world that create it. At most 200 worlds of a merchant exist at a time.",
    ],
    forkTestWorld: [
      'Fork a test world',
      'A new world with the content, the ids and the clock of this one, as of one moment, and a key of its own. From then on, nothing that happens in one is seen in the other. `id` is that of a created world, or of the world of the key. The key needs, beside `world.create`, what reads all that the fork shows: `payment.read`, `refund.read`, `paymentlink.read`, `event.read`, `webhook.read` and `simulate`. Payment pages, links and sinks have addresses and secrets of their own in the fork, also in its events. Not copied: keys, saved responses of idempotency keys, webhook endpoints and what is to be delivered to them, and jobs that failed for good. A world with more than 5,000 resources is copied in the background: until it is whole, requests with the new key return 503 `temporarily_unavailable`.',
    ],
    listTestWorlds: [
      'List test worlds, newest first',
      "A key of the merchant's own test world lists all created worlds; the key of a created world lists that world and those that it has created. One page has them all.",
    ],
    getTestWorld: [
      'Retrieve a test world',
      'The key of a created world finds that world, and those that it has created.',
    ],
    deleteTestWorld: [
      'Delete a test world',
      'From the response on, its key is refused, no read shows its data, none of its jobs runs, and none of its events is sent. The worlds that its key has created end with it.',
    ],
  },
  paths: {
    'worlds/{id}': 'The id of the world: `wld_…`; of a fork, also the `world` of the key.',
  },
  schemas: {
    TestWorld: { about: 'A test world that was created beside the own one of its merchant.', ...WORLD },
    TestWorldWithKey: {
      about: 'A new test world with its key.',
      ...WORLD,
      key: 'The API key of the world, with every permission. Only this response has it.',
    },
    DeletedTestWorld: {
      about: 'The world that was deleted.',
      id: 'The id of the world.',
      deleted: 'Always true.',
    },
    ClockReading: {
      about: 'What a clock shows.',
      now: 'The time on the clock.',
      offset_seconds: 'How far the clock is ahead of real time, in whole seconds.',
    },
    ForkTestWorldRequest: {
      about: 'The fork to create.',
      name: 'A name to recognize it by. Default: `fork of` and the name of the source.',
      ttl_minutes:
        'How many minutes it exists, in real time: never longer than the key and the world that create it.',
    },
    CreateTestWorldRequest: {
      about: 'The world to create.',
      name: 'A name to recognize it by. Default: `world-N`.',
      ttl_minutes:
        'How many minutes it exists, in real time: never longer than the key and the world that create it.',
      starts_at: 'The first reading of its clock, at most two years ahead of real time. Default: real time.',
      profile: 'Sample data to seed it with. Default: the world is empty.',
    },
  },
} as const;
