import type { ProviderKind } from './provider.ts';
import { STRIPE } from './stripe/stripe-provider.ts';

/** What a live world can be connected to, by name. Each is a folder beside this file. To plug one in, name it here. */
export const PROVIDER_KINDS = { stripe: STRIPE } as const satisfies Readonly<Record<string, ProviderKind>>;
