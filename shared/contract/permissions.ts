const MERCHANT = [
  'payment.create',
  'payment.cancel',
  'payment.read',
  'refund.request',
  'refund.cancel',
  'refund.read',
  'paymentlink.create',
  'paymentlink.manage',
  'paymentlink.read',
  'event.read',
  'webhook.manage',
  'webhook.read',
] as const;

/** Every permission that a key can have (contract §1). */
export const PERMISSIONS = [...MERCHANT, 'simulate', 'seed', 'reset', 'world.create'] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** Sets of permissions for new keys. */
export const PRESETS = {
  merchant: MERCHANT,
  tester: [...MERCHANT, 'simulate', 'seed', 'world.create'],
  owner: PERMISSIONS,
} as const satisfies Record<string, readonly Permission[]>;
export type Preset = keyof typeof PRESETS;
