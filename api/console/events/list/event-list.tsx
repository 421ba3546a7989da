import { SegmentedControl, Text } from '@mantine/core';
import type { Event } from '../../http/types.ts';
import { useWebhookNames } from '../../integrations/webhook/use-webhook-names.ts';
import { WebhookFilter } from '../../integrations/webhook/webhook-filter.tsx';
import { FilterBar } from '../../parts/filters/filter-bar.tsx';
import { ReceivedFilters } from '../../parts/filters/received-filters.tsx';
import { countSet } from '../../parts/filters/url-filters.ts';
import { LiveList } from '../../parts/lists/live-list.tsx';
import { useLivePages } from '../../parts/lists/use-live-pages.ts';
import { EventRow } from './event-row.tsx';
import styles from './list.module.css';
import { NoEvents } from './no-events.tsx';
import { useEventFilters } from './use-event-filters.ts';

const REFRESH_MS = 4_000;

const STATES = [
  { value: '', label: 'All' },
  { value: 'normalized', label: 'Normalized' },
  { value: 'filtered', label: 'Filtered' },
  { value: 'failed', label: 'Failed' },
  { value: 'rejected', label: 'Rejected' },
];

/** A list of events, newest first, updated live: of all integrations, or of one. */
export function EventList({ webhookId }: { webhookId?: string }) {
  const names = useWebhookNames();
  const { filters, change, clear } = useEventFilters(webhookId);
  const query = { ...filters, ...(webhookId ? { webhookId } : {}) };
  const pages = useLivePages<Event>('/v2/events', query, { everyMs: REFRESH_MS, keepsLast: true });
  const isFiltered = countSet(filters) > 0;
  return (
    <>
      <FilterBar count={countSet(filters)} clear={clear}>
        <StateFilter value={filters.state ?? ''} change={(state) => change({ state })} />
        {!webhookId && (
          <WebhookFilter
            names={names}
            value={filters.webhookId ?? ''}
            change={(id) => change({ webhookId: id })}
          />
        )}
        <ReceivedFilters filters={filters} change={change} />
      </FilterBar>
      <LiveList
        key={JSON.stringify(filters)}
        pages={pages}
        what="events"
        head={['Event', 'State', ...(webhookId ? [] : ['Integration']), 'Alerts', 'Size', 'Received']}
        row={(event) => <EventRow key={event.id} event={event} names={webhookId ? null : names} />}
        empty={<NoEvents isFiltered={isFiltered} clear={clear} webhookId={webhookId} />}
      />
    </>
  );
}

const StateFilter = ({ value, change }: { value: string; change: (state: string) => void }) => (
  <div className={styles.states}>
    <Text size="sm" fw={600} component="div" mb={2}>
      State
    </Text>
    <SegmentedControl fullWidth aria-label="State" data={STATES} value={value} onChange={change} />
  </div>
);
