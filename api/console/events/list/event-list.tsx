import { Button, Text } from '@mantine/core';
import { Link } from 'wouter';
import type { Event } from '../../http/types.ts';
import {
  useWebhookNames,
  type WebhookNames,
  webhookOptions,
} from '../../integrations/webhook/use-webhook-names.ts';
import { WebhookName } from '../../integrations/webhook/webhook-name.tsx';
import { Empty } from '../../parts/feedback/empty.tsx';
import { FilterBar } from '../../parts/filters/filter-bar.tsx';
import { NoMatches } from '../../parts/filters/no-matches.tsx';
import { SavedViewsMenu } from '../../parts/filters/saved-views-menu.tsx';
import { TimeFilter } from '../../parts/filters/time-filter.tsx';
import { countSet } from '../../parts/filters/url-filters.ts';
import { ValueFilter } from '../../parts/filters/value-filter.tsx';
import { LinkRow, RowLink } from '../../parts/lists/link-row.tsx';
import { LiveList } from '../../parts/lists/live-list.tsx';
import { Table } from '../../parts/lists/table.tsx';
import { useLivePages } from '../../parts/lists/use-pages.ts';
import { Ago } from '../../parts/values/ago.tsx';
import { StateBadge } from '../../parts/values/badge.tsx';
import { Message } from '../../parts/values/message.tsx';
import { byteSize } from '../../text/quantities.ts';
import { shortEventId } from '../event-id.ts';
import { describeFilter } from '../filter-reason.ts';
import styles from './list.module.css';
import { useEventFilters } from './use-event-filters.ts';

const REFRESH_MS = 4_000;
const EVENT_STATES = ['normalized', 'filtered', 'failed', 'rejected', 'ping', 'internal'];

const STATES = EVENT_STATES.map((value) => ({ value }));

/** A list of events, newest first, updated live: of all integrations, or of one. */
export function EventList({ webhookId }: { webhookId?: string }) {
  const names = useWebhookNames();
  const { filters, query, change, clear } = useEventFilters(webhookId);
  const pages = useLivePages<Event>('/v2/events', query, REFRESH_MS);
  const isFiltered = countSet(filters) > 0;
  return (
    <>
      <FilterBar count={countSet(filters)} clear={clear} actions={<SavedViewsMenu list="events" />}>
        <TimeFilter range={filters} change={change} />
        <ValueFilter
          label="State"
          values={filters.state}
          change={(state) => change({ state })}
          options={STATES}
        />
        {!webhookId && (
          <ValueFilter
            label="Integration"
            values={filters.webhookId}
            change={(webhookIds) => change({ webhookId: webhookIds })}
            options={webhookOptions(names, filters.webhookId)}
          />
        )}
      </FilterBar>
      <LiveList
        key={JSON.stringify(query)}
        pages={pages}
        what="events"
        head={['Event', 'State', ...(webhookId ? [] : ['Integration']), 'Alerts', 'Size', 'Received']}
        row={(event) => <EventRow key={event.id} event={event} names={webhookId ? null : names} />}
        empty={<NoEvents isFiltered={isFiltered} clear={clear} webhookId={webhookId} />}
      />
    </>
  );
}

interface NoEventsProps {
  isFiltered: boolean;
  clear: () => void;
  webhookId?: string | undefined;
}

function NoEvents({ isFiltered, clear, webhookId }: NoEventsProps) {
  if (isFiltered) return <NoMatches what="event" clear={clear} />;
  const href = webhookId ? `/integrations/${webhookId}/test` : '/integrations';
  return (
    <Empty
      title="No events yet"
      action={
        <Button component={Link} href={href}>
          {webhookId ? 'Send a test event' : 'View integrations'}
        </Button>
      }
    >
      An event is a request that a source sends to the URL of an integration. It appears here within seconds,
      whatever its outcome.
    </Empty>
  );
}

/** One row of an event list. `names` is null if all events belong to one integration. */
function EventRow({ event, names }: { event: Event; names: WebhookNames | null }) {
  const reason = reasonOf(event);
  return (
    <LinkRow>
      <Table.Td className={styles.event}>
        <RowLink
          href={`/events/${event.id}`}
          {...(names ? {} : { more: { webhookId: event.webhookId } })}
          ff="monospace"
        >
          {shortEventId(event.id)}
        </RowLink>
        {reason && (
          <Text size="sm" c="dimmed" lineClamp={1}>
            <bdi>
              <Message text={reason} />
            </bdi>
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <StateBadge state={event.state} />
      </Table.Td>
      {names && (
        <Table.Td className={styles.integration}>
          <WebhookName id={event.webhookId} names={names} />
        </Table.Td>
      )}
      <Table.Td>{event.alertIds.length}</Table.Td>
      <Table.Td className={styles.short}>{byteSize(event.bytes)}</Table.Td>
      <Table.Td className={styles.short}>
        <Ago at={event.receivedAt} />
      </Table.Td>
    </LinkRow>
  );
}

/** Returns why the event has no alert, or fewer than it could; undefined if there is nothing to say. */
const reasonOf = ({ faults, filter }: Event): string | undefined =>
  faults[0]?.message ?? (filter ? describeFilter(filter) : undefined);
