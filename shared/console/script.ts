import { CONSOLE_PARTS } from './console-parts.ts';
import { startConsole } from './start-console.ts';

const sources = Object.entries(CONSOLE_PARTS).map(([name, part]) => `${name}: ${String(part)}`);

/** The script of the console. */
export const CONSOLE_SCRIPT = `'use strict';\n(${String(startConsole)})({\n${sources.join(',\n')}\n});\n`;
