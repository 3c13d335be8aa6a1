import type { SpecRestApi } from 'aws-cdk-lib/aws-apigateway';
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import { entryOf } from '../../shared/errors/catalogue.ts';

/** Over so long a time requests are counted: a burst that is shorter passes, and a block ends as soon. */
const WINDOW_SECONDS = 60;

/** Requests a second, over the window. More is answered 429. */
export const RATES = {
  /** Of one address, whatever it sends: one merchant behind one address may use one key to its full. */
  address: 400,
  /** Of one address without a key: payers, of whom a mobile network shows many as one. */
  'address-without-key': 100,
  /** Of one key, by its `Authorization` header, from however many addresses. */
  key: 400,
} as const;

const RATE_LIMITED = 'rate-limited';

/** Rules that AWS keeps, but for those that would refuse what the contract takes: these only count. */
const MANAGED: readonly { readonly name: string; readonly counting: readonly string[] }[] = [
  {
    name: 'AWSManagedRulesCommonRuleSet',
    counting: [
      // From 8 KB on; the contract takes 64 KB (§2).
      'SizeRestrictions_BODY',
      // Callers are programs: many say nothing of themselves.
      'NoUserAgent_HEADER',
      // A description may hold any text, and a return_url of a test any address. Neither is ever run or fetched.
      'CrossSiteScripting_BODY',
      'GenericRFI_BODY',
    ],
  },
  { name: 'AWSManagedRulesKnownBadInputsRuleSet', counting: [] },
];

const AS_IT_IS = [{ priority: 0, type: 'NONE' }];
/**
 * So that no spelling of a key is counted apart, those that the service refuses included. No two keys differ by case
 * alone.
 */
const ONE_SPELLING = ['COMPRESS_WHITE_SPACE', 'LOWERCASE'].map((type, priority) => ({ priority, type }));
const AUTHORIZATION = 'authorization';

/** Which requests each rate counts together. */
const COUNTED: Readonly<
  Record<keyof typeof RATES, Omit<CfnWebACL.RateBasedStatementProperty, 'limit' | 'evaluationWindowSec'>>
> = {
  address: { aggregateKeyType: 'IP' },
  'address-without-key': {
    aggregateKeyType: 'IP',
    scopeDownStatement: {
      notStatement: {
        statement: {
          sizeConstraintStatement: {
            // CDK hands this on as it is, so it is spelled as CloudFormation spells it.
            fieldToMatch: { singleHeader: { Name: AUTHORIZATION } },
            comparisonOperator: 'GT',
            size: 0,
            textTransformations: AS_IT_IS,
          },
        },
      },
    },
  },
  key: {
    aggregateKeyType: 'CUSTOM_KEYS',
    // A request without the header is counted by none of these.
    customKeys: [{ header: { name: AUTHORIZATION, textTransformations: ONE_SPELLING } }],
  },
};

interface WebFirewallProps {
  readonly gateway: SpecRestApi;
  /** Where the pages that explain errors are, without a slash at the end. */
  readonly baseUrl: string;
}

/**
 * Keeps one caller from using up what all share: a throttle of the stage cannot tell callers apart. Production's alone,
 * for it costs by the month and by the request.
 */
export class WebFirewall extends Construct {
  constructor(scope: Construct, id: string, { gateway, baseUrl }: WebFirewallProps) {
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
      // By then the window has nothing of what was too much.
      { name: 'Retry-After', value: String(WINDOW_SECONDS) },
      { name: 'Cache-Control', value: 'no-store' },
    ],
  };
}

/** The problem of the catalogue. It is the same for every request, which the firewall cannot name. */
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
