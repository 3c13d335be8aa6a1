/** The nine permissions of the interface and the four of the added reads (contract §1). */
export const PERMISSIONS = [
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
  'simulate',
  'seed',
  'reset',
] as const;
export type Permission = (typeof PERMISSIONS)[number];

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
] as const satisfies readonly Permission[];

/** Sets of permissions that keys are minted with. */
export const PRESETS = {
  merchant: MERCHANT,
  tester: [...MERCHANT, 'simulate', 'seed'],
  owner: PERMISSIONS,
} as const satisfies Record<string, readonly Permission[]>;
export type Preset = keyof typeof PRESETS;
