/** Stories that once broke a law: each was mended, and must not break it again. */
export const KEPT_SEEDS: readonly { readonly seed: number; readonly shows: string }[] = [
  { seed: 296765853, shows: 'signature' },
];
