/**
 * Contract tests that do not run against a deployment, by their file in `test/api/`, and why. Short, or the word
 * "same" loses its meaning.
 */
export const EXCEPTIONS: Readonly<Record<string, string>> = {
  'crash.test.ts':
    'kills the process in the middle of a request, which nobody can do to a function from outside',
  'log.test.ts': 'reads the log of a host that it has started itself',
};
