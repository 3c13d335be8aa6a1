/** Put in by the bundler of functions (`infra/aws/constructs/payment-function.ts`), which leaves out what builds it here. */
declare const BUILT_CONSOLE_SCRIPT: string | undefined;

let script: Promise<string> | undefined;

/** The script of the console. From source, it is built when it is first needed. */
export function consoleScript(): Promise<string> {
  script ??= readScript();
  return script;
}

async function readScript(): Promise<string> {
  return typeof BUILT_CONSOLE_SCRIPT === 'string'
    ? BUILT_CONSOLE_SCRIPT
    : (await import('./build-script.ts')).buildConsoleScript();
}
