#!/usr/bin/env node
import { keepCompiled } from '../machine/compile-cache.ts';
import { SERVICE_WORDS } from './service-words.ts';

keepCompiled();
const [first] = process.argv.slice(2);
await (SERVICE_WORDS.some((word) => word === first)
  ? import('./run-service-line.ts')
  : import('./run-line.ts'));
