/**
 * Runs a command line. What goes wrong is said in its own words and ends the process with 1; for arguments that are
 * not understood, the usage is said too.
 */
export function runCommand(main: () => Promise<void>, usage: string): void {
  main().catch((error: Error & { code?: string }) => {
    console.error(error.message);
    if (error.code?.startsWith('ERR_PARSE_ARGS')) {
      console.error(`\n${usage}`);
    }
    process.exit(1);
  });
}
