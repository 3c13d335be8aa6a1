import { type RemovalPolicy, Stack } from 'aws-cdk-lib';
import type { SpecRestApi } from 'aws-cdk-lib/aws-apigateway';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { CfnLoggingConfiguration, CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import { entryOf } from '../../../shared/errors/catalogue.ts';
import { ACCESS_LOG_RETENTION, STAGE_NAME } from './payment-api.ts';

/** The window in which requests are counted: a shorter burst passes, and a block ends after this time. */
const WINDOW_SECONDS = 60;

/** Requests a second, over the window. Further requests get a 429. */
const RATES = {
  /** One address, with or without a key: a merchant behind one address can use the full rate of a key. */
  address: 400,
  /** One address, but for requests of the API with a key: payers, many of whom share one address in a mobile network. */
  'address-without-key': 100,
  /** One key, by its `Authorization` header, from any number of addresses. */
  key: 400,
} as const;

const RATE_LIMITED = 'rate-limited';

/** AWS's managed rules. Those that would refuse requests that the contract allows only count. */
const MANAGED: readonly { readonly name: string; readonly counting: readonly string[] }[] = [
  {
    name: 'AWSManagedRulesCommonRuleSet',
    counting: [
      // Refuses from 8 KB on; the contract allows 64 KB (§2).
      'SizeRestrictions_BODY',
      // Callers are programs, many of which send no User-Agent.
      'NoUserAgent_HEADER',
      // A description may hold any text, and a return_url of a test any address. Neither is ever run or fetched.
      'CrossSiteScripting_BODY',
      'GenericRFI_BODY',
    ],
  },
  { name: 'AWSManagedRulesKnownBadInputsRuleSet', counting: [] },
];

/** Headers whose values are secrets, or lead to a saved response. */
const REDACTED_HEADERS = ['authorization', 'idempotency-key', 'cookie'];

const AS_IT_IS = [{ priority: 0, type: 'NONE' }];
const AUTHORIZATION = 'authorization';

/**
 * The paths of operations that need a key, in their plain spelling, with and without the name of the gateway's stage.
 * Another spelling counts as a request without a key.
 */
const KEYED_PATH = `^/(${STAGE_NAME}/)?api/v1/[A-Za-z0-9_/-]+$`;
/** The form of a key, in the one spelling that the service takes. */
const KEY = '^Bearer pg_(test|live)_[0-9A-Za-z]{38}$';

// CDK passes the fields on unchanged, so they are spelled as in CloudFormation.
const A_KEY = matching({ singleHeader: { Name: AUTHORIZATION } }, KEY);
/** A request of the API with what can be a key: pages do not read the header, so there it says nothing. */
const A_KEY_FOR_THE_API = { andStatement: { statements: [matching({ uriPath: {} }, KEYED_PATH), A_KEY] } };

function matching(
  fieldToMatch: CfnWebACL.FieldToMatchProperty,
  regexString: string,
): CfnWebACL.StatementProperty {
  return { regexMatchStatement: { fieldToMatch, regexString, textTransformations: AS_IT_IS } };
}

/** Which requests each rate counts together. */
const COUNTED: Readonly<
  Record<keyof typeof RATES, Omit<CfnWebACL.RateBasedStatementProperty, 'limit' | 'evaluationWindowSec'>>
> = {
  address: { aggregateKeyType: 'IP' },
  'address-without-key': {
    aggregateKeyType: 'IP',
    scopeDownStatement: { notStatement: { statement: A_KEY_FOR_THE_API } },
  },
  key: {
    aggregateKeyType: 'CUSTOM_KEYS',
    customKeys: [{ header: { name: AUTHORIZATION, textTransformations: AS_IT_IS } }],
    // One header that is no key may come from many payers: a proxy adds it.
    scopeDownStatement: A_KEY,
  },
};

interface WebFirewallProps {
  readonly gateway: SpecRestApi;
  /** The base URL of the pages that explain errors, without a slash at the end. */
  readonly baseUrl: string;
  readonly removalPolicy: RemovalPolicy;
}

/**
 * Keeps one caller from using up the shared limits, since a throttle of the stage cannot distinguish callers. Only in
 * production, since it costs by the month and by the request.
 */
export class WebFirewall extends Construct {
  constructor(scope: Construct, id: string, { gateway, baseUrl, removalPolicy }: WebFirewallProps) {
    super(scope, id);
    const rateRules = Object.entries(RATES).map(
      ([name, perSecond]): UnorderedRule => ({
        name,
        statement: {
          rateBasedStatement: {
            ...COUNTED[name as keyof typeof RATES],
            limit: perSecond * WINDOW_SECONDS,
            evaluationWindowSec: WINDOW_SECONDS,
          },
        },
        action: { block: { customResponse: rateLimited() } },
      }),
    );
    const managedRules = MANAGED.map(
      ({ name, counting }): UnorderedRule => ({
        name,
        statement: {
          managedRuleGroupStatement: {
            vendorName: 'AWS',
            name,
            ruleActionOverrides: counting.map((rule) => ({ name: rule, actionToUse: { count: {} } })),
          },
        },
        overrideAction: { none: {} },
      }),
    );
    const acl = new CfnWebACL(this, 'Acl', {
      scope: 'REGIONAL',
      defaultAction: { allow: {} },
      visibilityConfig: visibleAs(id),
      customResponseBodies: {
        [RATE_LIMITED]: { contentType: 'APPLICATION_JSON', content: rateLimitedBody(baseUrl) },
      },
      rules: [...rateRules, ...managedRules].map((rule, priority) => ({
        ...rule,
        priority,
        visibilityConfig: visibleAs(rule.name),
      })),
    });
    new CfnWebACLAssociation(this, 'OfTheStage', {
      webAclArn: acl.attrArn,
      resourceArn: gateway.deploymentStage.stageArn,
    });
    this.#logRefusals(acl, removalPolicy);
  }

  /**
   * A line for each request that a rule refused or counted: which rule, and the caller's address. Neither its path, which
   * can hold a token, nor its query: the access log has the route, in the line of the same request id.
   */
  #logRefusals(acl: CfnWebACL, removalPolicy: RemovalPolicy): void {
    const { stackName, partition, region, account } = Stack.of(this);
    // AWS WAF writes to groups of this name alone, and takes their ARN without the asterisk that CDK adds.
    const logGroupName = `aws-waf-logs-${stackName}`;
    const log = new LogGroup(this, 'Log', { logGroupName, retention: ACCESS_LOG_RETENTION, removalPolicy });
    const configuration = new CfnLoggingConfiguration(this, 'Logging', {
      resourceArn: acl.attrArn,
      logDestinationConfigs: [`arn:${partition}:logs:${region}:${account}:log-group:${logGroupName}`],
      redactedFields: [
        ...REDACTED_HEADERS.map((Name) => ({ singleHeader: { Name } })),
        { uriPath: {} },
        { queryString: {} },
      ],
      // In CloudFormation's spelling: CDK passes it on unchanged.
      loggingFilter: {
        DefaultBehavior: 'DROP',
        Filters: [
          {
            Behavior: 'KEEP',
            Requirement: 'MEETS_ANY',
            Conditions: ['BLOCK', 'COUNT'].map((Action) => ({ ActionCondition: { Action } })),
          },
        ],
      },
    });
    configuration.node.addDependency(log);
  }
}

type UnorderedRule = Omit<CfnWebACL.RuleProperty, 'priority' | 'visibilityConfig'>;

/** Counted, but not sampled: samples would hold the `Authorization` header. */
function visibleAs(metricName: string): CfnWebACL.VisibilityConfigProperty {
  return { metricName, cloudWatchMetricsEnabled: true, sampledRequestsEnabled: false };
}

function rateLimited(): CfnWebACL.CustomResponseProperty {
  const { status } = entryOf('rate_limited');
  return {
    responseCode: status,
    customResponseBodyKey: RATE_LIMITED,
    responseHeaders: [
      // By then the window no longer has the excess requests.
      { name: 'Retry-After', value: String(WINDOW_SECONDS) },
      { name: 'Cache-Control', value: 'no-store' },
    ],
  };
}

/** The problem of the catalogue, without a request id, which the firewall cannot insert. */
function rateLimitedBody(baseUrl: string): string {
  const { status, title, advice } = entryOf('rate_limited');
  return JSON.stringify({
    type: `${baseUrl}/errors/rate_limited`,
    title,
    status,
    code: 'rate_limited',
    detail: advice,
    instance: 'urn:request:unknown',
  });
}
