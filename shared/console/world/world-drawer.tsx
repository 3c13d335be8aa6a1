/// <reference lib="dom" />
import { useEffect, useRef, useState } from 'preact/hooks';
import { sinkBehavior } from '../../story/delivery-words.ts';
import type { RowOf } from '../../story/operation-id.ts';
import { addressOf } from '../../story/route.ts';
import { aheadText } from '../../story/world-words.ts';
import { askErasure } from '../act/ask-erasure.tsx';
import { type Actions, useActions } from '../act/use-actions.tsx';
import { useDashboard } from '../call/dashboard-context.ts';
import { useRead } from '../call/use-read.ts';
import { useRoute } from '../call/use-route.ts';
import { absenceOf } from '../show/shown-problem.tsx';
import { ShownTime } from '../show/shown-time.tsx';
import { RATES_MAX, ReceiverCard } from '../webhooks/receiver-card.tsx';
import { ClockSteps } from './clock-steps.tsx';
import { worldViewTexts } from './world-view-texts.ts';
import { WorldsSection } from './worlds-section.tsx';

const { drawer: drawerTexts, clock: clockTexts, sinks: sinkTexts, content: contentTexts } = worldViewTexts;
const LOG_LIMIT = 8;

interface DrawerProps {
  /** The sink that the address names; anything else names none. */
  readonly shownId: string | undefined;
  readonly onClose: () => void;
}

/** The test world: its clock, its sinks, and what fills or empties it. */
export function WorldDrawer({ shownId, onClose }: DrawerProps) {
  const actions = useActions();
  return (
    <aside
      id="world"
      aria-label={drawerTexts.title}
      onKeyDown={({ key }) => {
        if (key === 'Escape') {
          onClose();
        }
      }}
    >
      <DrawerHead onClose={onClose} />
      {actions.report}
      <ClockSection actions={actions} />
      <SinksSection shownId={shownId} actions={actions} />
      <WorldsSection actions={actions} />
      <ContentSection actions={actions} />
    </aside>
  );
}

function DrawerHead({ onClose }: Pick<DrawerProps, 'onClose'>) {
  const { reads } = useDashboard();
  const [isPaused, setPaused] = useState(reads.isPaused);
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  const pause = () => {
    reads.pause(!isPaused);
    setPaused(!isPaused);
  };
  return (
    <div class="aside-head">
      <h2 tabIndex={-1} ref={title}>
        {drawerTexts.title}
      </h2>
      <span class="tools">
        <button id="live-pause" type="button" class="small" aria-pressed={isPaused} onClick={pause}>
          {drawerTexts.pauseUpdates}
        </button>
        <button type="button" class="small" onClick={onClose}>
          {drawerTexts.close}
        </button>
      </span>
    </div>
  );
}

interface SectionProps {
  readonly actions: Actions;
}

function ClockSection({ actions }: SectionProps) {
  const clock = useRead('testkit.GetClock').response?.body;
  return (
    <section>
      <h3>{clockTexts.title}</h3>
      {clock && (
        <p class="hint">
          {aheadText(clock.offset_seconds)} ·{' '}
          {clock.next_job_at === null
            ? clockTexts.nothingDue
            : clockTexts.nextJob(<ShownTime at={clock.next_job_at} />)}
        </p>
      )}
      <ClockSteps actions={actions} />
    </section>
  );
}

function SinksSection({ shownId, actions }: SectionProps & Pick<DrawerProps, 'shownId'>) {
  const state = useRead('testkit.ListWebhookSinks');
  const { receiver } = useRoute().query;
  const [firstId] = useState([shownId, receiver].find((id) => id?.startsWith('snk_')));
  const absence = absenceOf(state);
  const sinks = state.response?.body?.data ?? [];
  return (
    <section>
      <h3>{sinkTexts.title}</h3>
      <div class="tools">
        <button
          type="button"
          class="small"
          onClick={() => void actions.act('testkit.CreateWebhookSink', { body: {} }, sinkTexts.created)}
        >
          {sinkTexts.create}
        </button>
        <a class="button small" href={addressOf(['exam'])}>
          {sinkTexts.exam}
        </a>
      </div>
      {absence !== null && <p class="hint">{absence}</p>}
      {absence === null && sinks.length === 0 && <p class="hint">{sinkTexts.none}</p>}
      {sinks.map((sink, index) => (
        <SinkCard
          key={sink.id}
          sink={sink}
          isFirst={firstId === undefined ? index === 0 : sink.id === firstId}
          hasRate={index < RATES_MAX}
          actions={actions}
        />
      ))}
    </section>
  );
}

function ContentSection({ actions }: SectionProps) {
  const { openDialog, knownIds } = useDashboard();
  const seed = () =>
    actions.act('testkit.SeedTestData', { body: { profile: 'month' } }, contentTexts.monthSeeded);
  async function purge(): Promise<void> {
    if (await askErasure(openDialog)) {
      await actions.act('testkit.PurgeTestData', { body: {} }, contentTexts.emptied);
      knownIds.forget();
    }
  }
  return (
    <section>
      <h3>{contentTexts.title}</h3>
      <div class="tools">
        <button type="button" class="small" onClick={() => void seed()}>
          {contentTexts.seedMonth}
        </button>
        <button type="button" class="small danger" onClick={() => void purge()}>
          {contentTexts.empty}
        </button>
      </div>
    </section>
  );
}

interface SinkProps {
  readonly sink: RowOf<'testkit.ListWebhookSinks'>;
  readonly isFirst: boolean;
  readonly hasRate: boolean;
  readonly actions: Actions;
}

function SinkCard({ sink, isFirst, hasRate, actions }: SinkProps) {
  const { id, name, received_count: received } = sink;
  const fail = () =>
    actions.act(
      'testkit.UpdateWebhookSink',
      { params: { id }, body: { fail_count: 2, respond_status: 503 } },
      sinkTexts.failsTwice,
    );
  return (
    <ReceiverCard
      id={id}
      title={name || id}
      state={
        <span class="state hint">
          {sinkTexts.received(received)} · {sinkBehavior(sink)}
        </span>
      }
      isFirst={isFirst}
      hasRate={hasRate}
      logId="testkit.ListDeliveries"
      limit={LOG_LIMIT}
      redeliveryId="testkit.Redeliver"
      act={actions.act}
    >
      <div class="tools">
        <button type="button" class="small" onClick={() => void fail()}>
          {sinkTexts.failTwice}
        </button>
        <a class="button small" href={addressOf(['api', 'testkit.GetWebhookSink'], { id })}>
          {sinkTexts.secret}
        </a>
      </div>
    </ReceiverCard>
  );
}
