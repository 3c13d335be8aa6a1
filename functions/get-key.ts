import { keyOperations, viewKey } from '../shared/contract/keys.ts';
import { serveRead } from '../shared/http/serve-read.ts';

export const handler = serveRead(keyOperations.getKey, async ({ key, world }) => viewKey(key, world));
