import examples from './examples.json' with { type: 'json' };

/** Responses of the running service, by operation. Recorded by `npm run examples`. */
export const EXAMPLES: Readonly<Record<string, unknown>> = examples;
