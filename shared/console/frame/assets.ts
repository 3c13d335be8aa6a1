/**
 * Put in by the bundler of functions (`infra/aws/constructs/payment-function.ts`), which leaves out what builds them here.
 */
declare const BUILT_CONSOLE_SCRIPT: string | undefined;
declare const BUILT_CONSOLE_STYLE: string;

interface ConsoleAssets {
  readonly script: string;
  readonly style: string;
}

let assets: Promise<ConsoleAssets> | undefined;

/** The script and the style of the console. From source, they are built when they are first needed. */
export function consoleAssets(): Promise<ConsoleAssets> {
  assets ??= readAssets();
  return assets;
}

async function readAssets(): Promise<ConsoleAssets> {
  return typeof BUILT_CONSOLE_SCRIPT === 'string'
    ? { script: BUILT_CONSOLE_SCRIPT, style: BUILT_CONSOLE_STYLE }
    : (await import('./build-assets.ts')).buildConsoleAssets();
}
