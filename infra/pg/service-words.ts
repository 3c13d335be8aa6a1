/** The commands that run, find or end a service of this machine: a small part of all that pg has. */
export const SERVICE_WORDS = ['start', 'run', 'init', 'status', 'stop'] as const;
export type ServiceWord = (typeof SERVICE_WORDS)[number];
