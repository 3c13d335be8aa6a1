import { readFileSync } from 'node:fs';

/*
 * Loaded into a host whose time a test moves: the file that SHIFT_FILE names says by how many milliseconds. It is read at
 * each look at the clock, in every thread, so that all of them move at once.
 */

const file = String(process.env.SHIFT_FILE);
const now = Date.now;
Date.now = () => now() + Number(readFileSync(file, 'utf8'));
