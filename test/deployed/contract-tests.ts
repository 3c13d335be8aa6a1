/** Path prefixes of the tests that hold for every deployment of the service, over HTTP. */
export const CONTRACT_TESTS = [
  'test/api/',
  'test/pages/checkout.',
  'test/pages/payer-browser',
  'test/pages/payment-link',
  'test/scenarios/',
];

/** What takes thousands of items or hosts of its own runs on this machine alone. */
export const SLOW_FILES = 'test/**/*.slow.test.ts';

const ON_THIS_MACHINE = 'has servers on this machine, which a deployed service sends nothing to';

/**
 * Contract tests that do not run against a deployment, by their file, and why. Short, or the word
 * "same" loses its meaning.
 */
export const EXCEPTIONS: Readonly<Record<string, string>> = {
  'crash.test.ts':
    'kills the process in the middle of a request, which nobody can do to a function from outside',
  'log.test.ts': 'reads the log of a host that it has started itself',
  'encoded-bodies.test.ts':
    'sends bodies compressed, which the target inflates before a function sees them; API Gateway hands them over as they are',
  'webhook-deliveries.test.ts': ON_THIS_MACHINE,
  'webhook-failures.test.ts': ON_THIS_MACHINE,
  'webhook-page-urls.test.ts': ON_THIS_MACHINE,
  'filters.test.ts': ON_THIS_MACHINE,
  'repeated-headers.test.ts':
    'sends header lines twice, which the target joins into one before a function sees them; API Gateway hands over each',
};
