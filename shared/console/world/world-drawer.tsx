/// <reference lib="dom" />
import { useEffect, useRef, useState } from 'preact/hooks';
import { sinkBehavior } from '../../story/delivery-words.ts';
import type { RowOf } from '../../story/operation-id.ts';
import { addressOf } from '../../story/route.ts';
import { askErasure } from '../act/ask-erasure.tsx';
import { type Actions, useActions } from '../act/use-actions.tsx';
import { useDashboard } from '../call/dashboard-context.ts';
import { useRead } from '../call/use-read.ts';
import { useRoute } from '../call/use-route.ts';
import { absenceOf } from '../show/shown-problem.tsx';
import { ShownTime } from '../show/shown-time.tsx';
import { aheadText } from '../show/world-words.ts';
import { RATES_MAX, ReceiverCard } from '../webhooks/receiver-card.tsx';
import { ClockSteps } from './clock-steps.tsx';
import { WorldsSection } from './worlds-section.tsx';

const LOG_LIMIT = 8;

interface DrawerProps {
  /** The sink that the address names; anything else names none. */
  readonly shownId: string | undefined;
  readonly isPaused: boolean;
  readonly onPause: (isPaused: boolean) => void;
  readonly onClose: () => void;
}

/** The test world: its clock, its sinks, and what fills or empties it. */
export function WorldDrawer({ shownId, isPaused, onPause, onClose }: DrawerProps) {
  const dashboard = useDashboard();
  const actions = useActions();
  const title = useRef<HTMLHeadingElement>(null);
  const clock = useRead('testkit.GetClock').answer?.body;
  const sinkState = useRead('testkit.ListWebhookSinks');
  const { receiver } = useRoute().query;
  const [firstId] = useState([shownId, receiver].find((id) => id?.startsWith('snk_')));
  useEffect(() => title.current?.focus(), []);
  const sinkAbsence = absenceOf(sinkState);
  const sinks = sinkState.answer?.body?.data ?? [];

  async function purge(): Promise<void> {
    if (await askErasure(dashboard.openDialog)) {
      await actions.act('testkit.PurgeTestData', { body: {} }, 'The test world is empty.');
      dashboard.knownIds.forget();
    }
  }

  return (
    <aside
      id="world"
      aria-label="Test world"
      onKeyDown={({ key }) => {
        if (key === 'Escape') {
          onClose();
        }
      }}
    >
      <div class="aside-head">
        <h2 tabIndex={-1} ref={title}>
          Test world
        </h2>
        <span class="tools">
          <button
            id="live-pause"
            type="button"
            class="small"
            aria-pressed={isPaused}
            onClick={() => onPause(!isPaused)}
          >
            Pause updates
          </button>
          <button type="button" class="small" onClick={onClose}>
            Close
          </button>
        </span>
      </div>
      {actions.report}
      <section>
        <h3>Clock</h3>
        {clock && (
          <p class="hint">
            {aheadText(clock.offset_seconds)} ·{' '}
            {clock.next_job_at === null ? (
              'nothing is due'
            ) : (
              <>
                next job at <ShownTime at={clock.next_job_at} />
              </>
            )}
          </p>
        )}
        <ClockSteps actions={actions} />
      </section>
      <section>
        <h3>Webhook sinks</h3>
        <div class="tools">
          <button
            type="button"
            class="small"
            onClick={() => void actions.act('testkit.CreateWebhookSink', { body: {} }, 'A sink was created.')}
          >
            Create a sink
          </button>
          <a class="button small" href={addressOf(['exam'])}>
            Exam for your receiver
          </a>
        </div>
        {sinkAbsence !== null && <p class="hint">{sinkAbsence}</p>}
        {sinkAbsence === null && sinks.length === 0 && (
          <p class="hint">A sink receives every event and shows it.</p>
        )}
        {sinks.map((sink, place) => (
          <SinkCard
            key={sink.id}
            sink={sink}
            isFirst={firstId === undefined ? place === 0 : sink.id === firstId}
            hasRate={place < RATES_MAX}
            actions={actions}
          />
        ))}
      </section>
      <WorldsSection actions={actions} />
      <section>
        <h3>Content</h3>
        <div class="tools">
          <button
            type="button"
            class="small"
            onClick={() =>
              void actions.act(
                'testkit.SeedTestData',
                { body: { profile: 'month' } },
                'A month of test data was created.',
              )
            }
          >
            Seed a month
          </button>
          <button type="button" class="small danger" onClick={() => void purge()}>
            Empty the test world
          </button>
        </div>
      </section>
    </aside>
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
      'The sink will respond with 503 twice.',
    );
  return (
    <ReceiverCard
      id={id}
      title={name || id}
      state={
        <span class="state hint">
          {received} received · {sinkBehavior(sink)}
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
          Fail twice
        </button>
        <a class="button small" href={addressOf(['api', 'testkit.GetWebhookSink'], { id })}>
          Secret
        </a>
      </div>
    </ReceiverCard>
  );
}
