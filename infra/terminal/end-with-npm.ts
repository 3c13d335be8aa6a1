const LOOK_EVERY_MS = 250;

/**
 * Ends this process, as if npm had passed on SIGTERM, when the npm that runs it has gone: a killed npm passes on nothing.
 */
export function endWithNpm(): void {
  const npm = process.ppid;
  const looking = setInterval(() => {
    if (process.ppid !== npm) {
      clearInterval(looking);
      process.kill(process.pid, 'SIGTERM');
    }
  }, LOOK_EVERY_MS);
  looking.unref();
}
