#!/usr/bin/env node
import { keepCompiled } from '../machine/compile-cache.ts';
import { keepHeapSmall } from '../machine/small-heap.ts';
import { SERVICE_WORDS } from './service-words.ts';

keepCompiled();
const [first] = process.argv.slice(2);
if (SERVICE_WORDS.some((word) => word === first)) {
  keepHeapSmall();
  await import('./run-service-line.ts');
} else {
  await import('./run-line.ts');
}
