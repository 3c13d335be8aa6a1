import { keepCompiled } from '../machine/compile-cache.ts';

/* npm start. */

keepCompiled();
const { runHost } = await import('./host.ts');
runHost();
