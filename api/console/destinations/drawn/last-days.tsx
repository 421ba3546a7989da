import { Button, Group, Text } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import type { Rehearsal } from '../../http/types.ts';
import { useMay } from '../../http/use-current-key.ts';
import { HeightAxis, TimeAxis } from '../../parts/chart/axes.tsx';
import { type Box, niceMaximum, xOf, yOf } from '../../parts/chart/chart-geometry.ts';
import { Failure } from '../../parts/feedback/failure.tsx';
import { useFullTime } from '../../settings/time-zone.ts';
import { byteSize, counted, duration, wholeNumber } from '../../text/quantities.ts';
import { describeReason } from '../messages/message-words.ts';
import styles from './drawn.module.css';
import type { RehearsedSettings } from './drawn-form.ts';
import { PreviewedMessage } from './previewed-messages.tsx';
import { useRehearsal } from './use-rehearsal.ts';

/** What a destination with these settings would have got in the last 7 days. Asks only when it is clicked, because it reads many alerts. */
export function LastDays({ settings }: { settings: RehearsedSettings }) {
  const { data, error, refetch, isFetching } = useRehearsal(settings);
  if (!useMay('alerts:read')) return null;
  return (
    <div>
      <Group gap="sm">
        <Button variant="default" loading={isFetching} onClick={() => void refetch()}>
          What would it have got in the last 7 days?
        </Button>
        <Text size="sm" c="dimmed">
          Nothing is sent.
        </Text>
      </Group>
      {error && !isFetching && <Failure error={error} title="Could not look back" />}
      {data && !error && <Summary rehearsal={data} preset={settings.preset} />}
    </div>
  );
}

/** Waits that are not worth a word. */
const SHORT_WAIT_S = 5;

function Summary({ rehearsal, preset }: { rehearsal: Rehearsal; preset: string }) {
  const fullTime = useFullTime();
  const { alerts, sent, unsent, days, busiestMinute, rate, largestBytes, cut, messages } = rehearsal;
  return (
    <section aria-label="Last 7 days" data-testid="last days">
      <Text my="sm">
        <b>{counted(sent, 'message')}</b> of {counted(alerts, 'alert')}
        {!rehearsal.isComplete &&
          ` up to ${fullTime(rehearsal.until)}. There are more alerts than can be looked at in time`}
        .
      </Text>
      {days.length > 0 && <DayChart days={days} from={rehearsal.from} />}
      <ul className={styles.facts}>
        {busiestMinute && (
          <li>
            The busiest minute, {fullTime(busiestMinute.at)}: {counted(busiestMinute.sent, 'message')}
          </li>
        )}
        {rate && rate.longestWaitSeconds > SHORT_WAIT_S && (
          <li>
            At {wholeNumber(rate.perMinute)} a minute, a message would have waited for up to{' '}
            {duration(rate.longestWaitSeconds)}
            {rate.delayed > 0 && `, ${wholeNumber(rate.delayed)} of them for more than a minute`}
          </li>
        )}
        {largestBytes !== null && (
          <li>
            The largest body: {byteSize(largestBytes)}
            {cut > 0 && `. ${counted(cut, 'message')} cut, because the receiver takes no more`}
          </li>
        )}
        {unsent.map(({ state, reason, clause, count }) => (
          <li key={`${state} ${reason} ${clause}`}>
            {wholeNumber(count)} {state}:{' '}
            {clause === null ? describeReason({ state, reason, attempts: 0 }) : <code>{clause}</code>}
            {clause !== null && ' is false'}
          </li>
        ))}
        <Faults what="The body could not be drawn" faults={rehearsal.bodyFaults} />
        <Faults what="The filter could not decide, so it was sent" faults={rehearsal.filterFaults} />
        <li>Not considered: {rehearsal.notConsidered.map((what) => LEFT_OUT[what]).join(', ')}</li>
      </ul>
      {messages.length > 0 && (
        <details>
          <summary>The first {counted(messages.length, 'message')}</summary>
          <ul className={styles.messages}>
            {messages.map((message) => (
              <PreviewedMessage
                key={`${message.alertId} ${message.at} ${message.type}`}
                message={message}
                preset={preset}
              />
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

const LEFT_OUT: Record<Rehearsal['notConsidered'][number], string> = {
  mutes: 'earlier mutes of integrations',
  superseding: 'messages that a newer one supersedes while they wait',
  repeats: 'repetitions of alerts that still fire',
  digests: 'digests, which are one message about many',
};

const Faults = ({ what, faults }: { what: string; faults: Rehearsal['bodyFaults'] }) =>
  faults.map(({ message, count }) => (
    <li key={message}>
      {what} for {counted(count, 'message')}: {message}
    </li>
  ));

const DAY_MS = 24 * 60 * 60_000;
const HEIGHT = 120;

/** Bars of messages by day: those that would have been sent, and above them the others. */
function DayChart({ days, from }: { days: Rehearsal['days']; from: string }) {
  const { ref, width } = useElementSize();
  const first = Date.parse(from.slice(0, 10));
  const counts = Array.from({ length: 8 }, (_, place) => {
    const day = new Date(first + place * DAY_MS).toISOString().slice(0, 10);
    return days.find((one) => one.day === day) ?? { day, sent: 0, unsent: 0 };
  });
  const box: Box = { width: Math.max(240, width), height: HEIGHT, left: 44, right: 8, top: 8, bottom: 22 };
  const maximum = niceMaximum(counts.map(({ sent, unsent }) => sent + unsent));
  const bar = ((box.width - box.left - box.right) / counts.length) * 0.7;
  const part = (kind: 'sent' | 'unsent', below: number, count: number, place: number) => (
    <rect
      data-kind={kind}
      x={xOf(place, counts.length, box) - bar / 2}
      y={yOf(below + count, maximum, box)}
      width={bar}
      height={yOf(below, maximum, box) - yOf(below + count, maximum, box)}
    />
  );
  const ticks = counts.map(({ day }, place) => ({
    at: xOf(place, counts.length, box) - bar / 2,
    label: new Date(day).toLocaleDateString([], { month: 'short', day: 'numeric', timeZone: 'UTC' }),
  }));
  const described = counts
    .map(({ day, sent, unsent }) => `${day}: ${sent} sent, ${unsent} not sent`)
    .join('; ');
  return (
    <div ref={ref} className={styles.chart}>
      <svg width={box.width} height={HEIGHT} role="img" aria-label={`Messages by day. ${described}`}>
        <HeightAxis maximum={maximum} box={box} />
        <TimeAxis ticks={ticks} box={box} anchor="start" />
        {counts.map(({ day, sent, unsent }, place) => (
          <g key={day}>
            {part('sent', 0, sent, place)}
            {part('unsent', sent, unsent, place)}
          </g>
        ))}
      </svg>
    </div>
  );
}
