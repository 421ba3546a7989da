import { Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';
import { shortEventId } from '../../events/event-id.ts';
import type { AlertDetail, AlertEvent } from '../../http/types.ts';
import { labelOf, targetOfResult } from '../../mapping/model/draft/alert-fields.ts';
import { Failure } from '../../parts/feedback/failure.tsx';
import { Loading } from '../../parts/feedback/loading.tsx';
import { DataTable } from '../../parts/lists/data-table.tsx';
import { More } from '../../parts/lists/more.tsx';
import { Table } from '../../parts/lists/table.tsx';
import { usePages } from '../../parts/lists/use-pages.ts';
import { Section } from '../../parts/section.tsx';
import { Badge } from '../../parts/values/badge.tsx';
import { Time } from '../../parts/values/time.tsx';
import { counted } from '../../text/quantities.ts';
import styles from './detail.module.css';

const REFRESH_MS = 10_000;

/** The events of an alert, the first one on top, and what each changed. */
export function Timeline({ alert }: { alert: AlertDetail }) {
  const pages = usePages<AlertEvent>(`/v2/alerts/${alert.id}/events`, {}, { refetchInterval: REFRESH_MS });
  return (
    <Section
      title="Timeline"
      about="The events of this alert, in the order in which they were accepted. Each field shows the newest value that a payload provided."
      wide
    >
      {pages.isPending && <Loading shape="table" rows={2} />}
      {pages.error && (
        <Failure error={pages.error} title="Could not load the timeline" retry={pages.refetch} />
      )}
      {pages.rows.length > 0 && (
        <DataTable label="Events of the alert" head={['Received', 'Effect', 'Changes', 'Origin']}>
          {pages.rows.map((event) => (
            <Row key={event.id} event={event} />
          ))}
        </DataTable>
      )}
      <More {...pages} />
    </Section>
  );
}

const EFFECTS = {
  opened: { tone: 'bad', text: 'opened' },
  updated: { tone: 'plain', text: 'updated' },
  repeated: { tone: 'plain', text: 'repeated' },
  resolved: { tone: 'good', text: 'resolved' },
} as const;

/** An event without a key has no status. */
const effectOf = ({ outcome, status }: AlertEvent) =>
  outcome && EFFECTS[outcome === 'updated' && status === null ? 'repeated' : outcome];

function Row({ event }: { event: AlertEvent }) {
  const effect = effectOf(event);
  return (
    <Table.Tr>
      <Table.Td className={styles.result}>
        <Time at={event.receivedAt} />
      </Table.Td>
      <Table.Td className={styles.result}>
        {effect && <Badge tone={effect.tone}>{effect.text}</Badge>}
        {event.eventCount > 1 && (
          <Text size="sm" c="dimmed">
            {counted(event.eventCount, 'expired event')}
          </Text>
        )}
      </Table.Td>
      <Table.Td className={styles.why}>
        {event.resolution !== null && (
          <Text size="sm" lineClamp={4}>
            <bdi>{event.resolution}</bdi>
          </Text>
        )}
        {event.changed.map((change) => (
          <Change key={change.field} change={change} />
        ))}
        {event.resolution === null && event.changed.length === 0 && (
          <Text size="sm" c="dimmed">
            Nothing
          </Text>
        )}
      </Table.Td>
      <Table.Td className={styles.result}>
        <Origin event={event} />
      </Table.Td>
    </Table.Tr>
  );
}

/** The event of an entry, or who ended the alert without one. */
function Origin({ event: { eventId, origin, by, jobId } }: { event: AlertEvent }) {
  if (eventId !== null)
    return (
      <Anchor component={Link} href={`/events/${eventId}`} ff="monospace" size="sm">
        {shortEventId(eventId)}
      </Anchor>
    );
  if (origin === 'expiry') return <Text size="sm">Expiry</Text>;
  return (
    <Text size="sm">
      <bdi>{by?.name ?? 'A person'}</bdi>
      {jobId !== null && (
        <>
          {', '}
          <Anchor component={Link} href={`/jobs/${jobId}`} inherit>
            job
          </Anchor>
        </>
      )}
    </Text>
  );
}

/** What a field showed before, unless it is new, and what it shows since. */
const Change = ({ change: { field, before, after } }: { change: AlertEvent['changed'][number] }) => (
  <Text size="sm" lineClamp={3}>
    {labelOf(targetOfResult(field))}:{' '}
    {before !== null && (
      <>
        <bdi>{before}</bdi> →{' '}
      </>
    )}
    {after === null ? 'none' : <bdi>{after}</bdi>}
  </Text>
);
