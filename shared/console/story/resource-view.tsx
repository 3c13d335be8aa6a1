/// <reference lib="dom" />
import type { ComponentChildren } from 'preact';
import type { PaymentView } from '../../contract/payments.ts';
import { shortId } from '../../story/addresses.ts';
import { formatMoney, isMoney } from '../../story/amounts.ts';
import { kindOfId, LISTS, type ListedKind, type ResourceGetId } from '../../story/lists.ts';
import type { BodyOf } from '../../story/operation-id.ts';
import { addressOf } from '../../story/route.ts';
import type { StoryResource } from '../../story/story.ts';
import type { ReadState } from '../call/reads.ts';
import { useRead } from '../call/use-read.ts';
import { PayoutParts, SettlementParts } from '../money/money-view.tsx';
import { factsOf, titleOf } from '../show/facts.ts';
import { IdLink, LinkedText, OwnId } from '../show/linked-text.tsx';
import { NextStepLinks } from '../show/next-step-links.tsx';
import { PageAddress } from '../show/page-address.tsx';
import { QrPicture } from '../show/response-view.tsx';
import { factName, showTexts } from '../show/show-texts.ts';
import { ProblemView } from '../show/shown-problem.tsx';
import { ShownTime } from '../show/shown-time.tsx';
import { StatusBadge } from '../show/status-badge.tsx';
import { ViewHeading } from '../show/view-heading.tsx';
import { ResourceTabs } from './resource-tabs.tsx';
import { StoryView } from './story-view.tsx';
import { storyViewTexts } from './story-view-texts.ts';
import { type StoryGetId, useStory } from './use-story.ts';

const texts = storyViewTexts.resource;
const WITH_STORY: readonly ResourceGetId[] = [
  LISTS.payment.getId,
  LISTS.refund.getId,
  LISTS.paymentLink.getId,
];
/** The addresses of payers' pages. */
const PAGE_FIELDS = ['checkout_url', 'url'];
/** What the head of a page says. */
const IN_HEAD = ['amount', 'status', 'number', 'reference'];

interface ResourceProps {
  readonly kind: Pick<ListedKind, 'segment' | 'title'>;
  /** The operation that retrieves it. */
  readonly getId: ResourceGetId;
  readonly id: string;
}

/** One resource, with what can be done with it next. */
export function ResourceView({ getId, ...props }: ResourceProps) {
  return hasStory(getId) ? <StoryPage {...props} getId={getId} /> : <PlainPage {...props} getId={getId} />;
}

function hasStory(getId: ResourceGetId): getId is StoryGetId {
  return WITH_STORY.includes(getId);
}

function StoryPage(props: ResourceProps & { readonly getId: StoryGetId }) {
  const { state, reads, awaitAttempt } = useStory(props.getId, props.id);
  return (
    <ResourceFrame {...props} state={state} hasStory={true}>
      {reads !== null && (
        <StoryView reads={reads} awaitAttempt={awaitAttempt}>
          <Details json={reads.resource} />
        </StoryView>
      )}
    </ResourceFrame>
  );
}

function PlainPage(props: ResourceProps) {
  const state = useRead(props.getId, { params: { id: props.id } });
  const body = state.response?.body;
  return (
    <ResourceFrame {...props} state={state} hasStory={false}>
      {body && (
        <>
          <Facts json={body} />
          {'expected' in body && <SettlementParts settlement={body} />}
          {'settlement_id' in body && <PayoutParts payout={body} />}
        </>
      )}
    </ResourceFrame>
  );
}

interface FrameProps extends ResourceProps {
  readonly state: ReadState<BodyOf<ResourceGetId>>;
  readonly hasStory: boolean;
  readonly children: ComponentChildren;
}

/** What the page of every resource has: its head, what comes next, and the resource as JSON and commands. */
function ResourceFrame({ kind, getId, id, state: { response, failure }, hasStory, children }: FrameProps) {
  const body = response?.body ?? null;
  const { number, reference, status }: Partial<PaymentView> = Object(body);
  const names = [number, reference].filter(Boolean);
  const resourceName = kindOfId(id)?.resource ?? null;
  return (
    <article class="view" aria-label={kind.title}>
      <p class="hint">
        <a href={addressOf([kind.segment])}>{kind.title}</a>
      </p>
      <header class="view-head">
        <div class="resource-head">
          <ViewHeading>
            {body === null ? shortId(id) : titleOf(getId, body)}{' '}
            {body !== null && resourceName !== null && status !== undefined && (
              <StatusBadge name={resourceName} status={status} resource={body} />
            )}
          </ViewHeading>
          {names.length > 0 && <p class="names">{names.join(' · ')}</p>}
        </div>
        {response !== null && (
          <NextStepLinks response={response} shownAt={addressOf([kind.segment, id])} isPagesOnly={hasStory} />
        )}
      </header>
      {failure !== null && <p class="problem">{failure}</p>}
      {response === null && failure === null && <p class="hint">{showTexts.reading}</p>}
      {response?.problem && <ProblemView problem={response.problem} />}
      {children}
      {body !== null && <ResourceTabs json={body} getId={getId} />}
    </article>
  );
}

/** What is beside a story: the QR that waits for a scan, the fields, and the merchant's own ones. */
function Details({ json }: { readonly json: StoryResource }) {
  const fields = Object.entries(json).filter(([name]) => !IN_HEAD.includes(name));
  const metadata = Object.entries('metadata' in json ? json.metadata : {});
  return (
    <>
      <QrPicture json={json} />
      <h3>{texts.details}</h3>
      <Facts json={Object.fromEntries(fields)} of={json} />
      {metadata.length > 0 && (
        <>
          <h3>{texts.metadata}</h3>
          <dl class="facts-list">
            {metadata.map(([name, value]) => (
              <div key={name}>
                <dt class="mono">{name}</dt>
                <dd>{String(value)}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </>
  );
}

/** What the QR of a page is called, and whether it is of use. */
function pageOf(json: object) {
  const { number, status }: { readonly number?: string; readonly status?: string } = Object(json);
  return { name: number ?? 'qr', isActive: status !== 'disabled' };
}

/** The fields of a resource that are set, by name. @param of the resource, where its head shows some of them */
export function Facts({ json, of = json }: { readonly json: object; readonly of?: object }) {
  return (
    <dl class="facts-list">
      {factsOf(json).map(({ name, kind, value }) => (
        <div key={name}>
          <dt>{factName(name)}</dt>
          <dd>
            {kind === 'money' && isMoney(value) ? (
              formatMoney(value)
            ) : kind === 'time' ? (
              <ShownTime at={String(value)} />
            ) : kind === 'id' && name === 'id' ? (
              <OwnId id={String(value)} />
            ) : kind === 'id' ? (
              <IdLink id={String(value)} />
            ) : PAGE_FIELDS.includes(name) ? (
              <PageAddress address={String(value)} {...pageOf(of)} />
            ) : (
              <LinkedText text={String(value)} />
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
