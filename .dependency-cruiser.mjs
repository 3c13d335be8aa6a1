/** What each place of `shared/` may import beside itself: what lies beneath it. */
const BENEATH = {
  concurrency: [],
  environment: [],
  errors: [],
  telemetry: ['environment'],
  domain: ['errors'],
  contract: ['environment', 'errors', 'domain', 'store/table/access'],
  store: ['concurrency', 'environment', 'errors', 'telemetry', 'domain'],
  providers: ['errors', 'telemetry', 'domain'],
  webhooks: ['environment', 'errors', 'telemetry', 'domain'],
  pages: ['errors', 'domain', 'contract', 'providers'],
  story: ['domain', 'contract'],
  console: ['errors', 'domain', 'contract', 'story'],
  docs: ['errors', 'domain', 'contract', 'pages', 'story'],
  http: [
    'environment',
    'errors',
    'telemetry',
    'domain',
    'contract',
    'store',
    'providers',
    'webhooks',
    'pages',
    'docs',
  ],
  flows: [
    'concurrency',
    'environment',
    'errors',
    'telemetry',
    'domain',
    'contract',
    'store',
    'providers',
    'webhooks',
    'pages',
  ],
  client: ['errors', 'contract'],
};
/** The same of the rooms inside the big ones: what each may import of the others. */
const INSIDE = {
  infra: {
    build: [],
    aws: ['build'],
    machine: [],
    terminal: ['machine'],
    local: ['aws', 'machine', 'terminal'],
    operator: ['aws', 'machine', 'terminal'],
    events: ['terminal'],
    scenario: ['terminal'],
    exam: ['terminal', 'events', 'scenario'],
    simulation: ['terminal', 'events', 'scenario', 'exam'],
    commands: ['machine', 'terminal', 'events'],
    mcp: ['terminal', 'events', 'commands', 'scenario', 'exam'],
    pg: ['machine', 'terminal', 'local', 'commands', 'scenario', 'exam', 'simulation', 'operator', 'mcp'],
  },
  'shared/console': {
    call: [],
    show: ['call'],
    act: ['call', 'show'],
    list: ['call', 'show', 'act'],
    money: ['call', 'show', 'act', 'list'],
    webhooks: ['call', 'show', 'act'],
    story: ['call', 'show', 'act', 'money', 'webhooks'],
    world: ['call', 'show', 'act', 'webhooks'],
    frame: ['call', 'show', 'act', 'list', 'money', 'story', 'webhooks', 'world'],
  },
  'shared/store': {
    table: [],
    scheduler: ['table'],
    worlds: ['table'],
    requests: ['table'],
    money: ['table', 'worlds'],
    events: ['table', 'scheduler', 'worlds'],
    // A seed is written as everything is, and the one file that writes has a row for each change of the test kit.
    testkit: ['table', 'scheduler', 'worlds', 'money', 'events', 'writes'],
    writes: ['table', 'scheduler', 'worlds', 'money', 'events', 'testkit'],
    rewrite: ['table', 'requests', 'events'],
  },
};
/** The client is for those outside: the service itself does without it. */
const SERVICE = Object.keys(BENEATH).filter((place) => place !== 'client');
const anyOf = (places, within = 'shared') => `^${within}/(${places.join('|')})(/|\\.ts$)`;
const OURS = '^(shared|functions|infra|test)/';

/** Where the test kit is put together with the rest. Without it, these are what changes. */
const COMPOSING = [
  'shared/contract/(operations|docs)', // the table of operations, and their words
  'shared/domain/(job|change)', // the tables of jobs and of changes
  'shared/store/writes', // how each change is written
  'shared/flows/jobs/(job-effects|wake-world)', // what each job does, and when a world is over
  'shared/flows/dispatch/delivery-targets', // where events are delivered
  'shared/(pages/checkout-page|flows/act-on-checkout)', // the buttons of a page of the test world
  'shared/story/(exam-groups|read-exam-report)', // the questions of the exam, and its report, which pages show
  'functions/.*',
  'infra/(?!aws/).*',
];

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...Object.entries(BENEATH).map(([place, beneath]) => ({
      name: `${place} imports what lies beneath it: ${beneath.join(', ') || 'nothing'}`,
      from: { path: anyOf([place]) },
      to: { path: OURS, pathNot: anyOf([place, ...beneath]) },
    })),
    {
      name: 'every place of shared is in the table',
      from: { path: '^shared/', pathNot: anyOf(Object.keys(BENEATH)) },
      to: {},
    },
    ...Object.entries(INSIDE).flatMap(([room, inner]) => [
      ...Object.entries(inner).map(([place, beneath]) => ({
        name: `${room}/${place} imports of its neighbours what lies beneath it: ${beneath.join(', ') || 'nothing'}`,
        from: { path: anyOf([place], room) },
        to: { path: `^${room}/`, pathNot: anyOf([place, ...beneath], room) },
      })),
      {
        name: `every file of ${room} is in a room of it`,
        from: { path: `^${room}/`, pathNot: anyOf(Object.keys(inner), room) },
        to: {},
      },
    ]),
    {
      name: 'the console is imported by what serves and what builds it',
      from: { pathNot: '^(shared/console/|functions/get-console|infra/build/built-assets)' },
      to: { path: '^shared/console/' },
    },
    {
      name: 'functions import the service and one another',
      from: { path: '^functions/' },
      to: { path: OURS, pathNot: [anyOf(SERVICE), '^functions/'] },
    },
    {
      name: 'infra/aws imports the contract, the environment, the errors, the names of the table and of providers, and what builds the console, the guides and the styles',
      from: { path: '^infra/aws/' },
      to: {
        path: OURS,
        pathNot: [
          '^infra/',
          anyOf(['contract', 'environment', 'errors']),
          '^shared/store/table/(table|keys|access)\\.ts$',
          '^shared/telemetry/(metrics|counted-lines)\\.ts$',
          '^shared/providers/provider-kinds\\.ts$',
          '^shared/(console/frame/build-assets|docs/build-guides|pages/read-style)\\.ts$',
        ],
      },
    },
    {
      name: 'dispatch imports no use case and no job',
      from: { path: '^shared/flows/dispatch/' },
      to: { path: '^shared/flows/', pathNot: '^shared/flows/dispatch/' },
    },
    {
      name: 'use cases import no job',
      from: { path: '^shared/flows/[^/]+$' },
      to: { path: '^shared/flows/jobs/' },
    },
    {
      name: 'the client is used by the command line alone',
      from: { pathNot: ['^infra/(?!aws/|local/|machine/|operator/)', '^shared/client/'] },
      to: { path: '^shared/client/' },
    },
    {
      name: 'functions are loaded by the local host alone, by name',
      from: { pathNot: '^functions/' },
      to: { path: '^functions/' },
    },
    {
      name: 'rules, rows and pages work without the cloud',
      from: {
        path: anyOf([
          'concurrency',
          'errors',
          'domain',
          'contract',
          'providers',
          'pages',
          'story',
          'console',
          'docs',
          'client',
        ]),
      },
      to: { path: '(^|/)(@aws-sdk|@aws-lambda-powertools|@middy|aws-cdk(-lib)?|aws-lambda|constructs)(/|$)' },
    },
    {
      name: 'the table is called through store/table/client.ts alone',
      from: { path: '^(shared|functions)/', pathNot: '^shared/store/table/client\\.ts$' },
      to: { path: '(^|/)@aws-sdk/lib-dynamodb/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'the test kit is imported by itself and where all is put together',
      from: { pathNot: ['/testkit/', `^(${COMPOSING.join('|')})\\.ts$`] },
      to: { path: '/testkit/' },
    },
    {
      name: 'the document is loaded by the function that answers it, the documentation, the build of the console, and to print the types and tables of it',
      from: {
        pathNot:
          '^(functions/get-open-api|shared/docs/service-document|shared/console/frame/build-assets|infra/build/(contract|print-contract-types))\\.ts$',
      },
      to: { path: '^shared/contract/openapi\\.ts$' },
    },
    {
      name: 'examples are loaded by the document',
      from: { pathNot: '^shared/contract/(openapi(-webhooks)?|event-examples)\\.ts$' },
      to: { path: '^shared/contract/(examples|event-examples|openapi-webhooks)\\.ts$' },
    },
    {
      name: 'words are loaded by the document and the command line',
      from: {
        pathNot:
          '^(shared/contract/(openapi(-webhooks)?|event-examples|docs)|infra/(build/contract|commands/api-commands)|.*\\.docs)\\.ts$',
      },
      to: { path: '^shared/contract/(docs|.*\\.docs)\\.ts$' },
    },
    {
      name: 'what each name of a row touches is loaded by infra: rows know the names, as types',
      from: { pathNot: '^infra/aws/grants\\.ts$' },
      to: { path: '^shared/store/table/access\\.ts$', dependencyTypesNot: ['type-only'] },
    },
    { name: 'no circle, not even of types', from: {}, to: { circular: true } },
    // What others copy imports the package.
    {
      name: 'every import leads somewhere',
      from: { pathNot: '^shared/client/starters/' },
      to: { couldNotResolve: true },
    },
    { name: 'no barrel', from: {}, to: { dependencyTypes: ['export'] } },
  ],
  options: {
    // What it parses TypeScript with by itself does not exist in TypeScript 7.
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
