// biome-ignore lint/suspicious/noExplicitAny: what it holds is known by the operation that was called
export type AnyJson = any;
