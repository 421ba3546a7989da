import type { Event } from '../../http/types.ts';
import { useWebhookNames, webhookOptions } from '../../integrations/webhook/use-webhook-names.ts';
import { FilterBar } from '../../parts/filters/filter-bar.tsx';
import { SavedViewsMenu } from '../../parts/filters/saved-views-menu.tsx';
import { TimeFilter } from '../../parts/filters/time-filter.tsx';
import { countSet } from '../../parts/filters/url-filters.ts';
import { ValueFilter } from '../../parts/filters/value-filter.tsx';
import { LiveList } from '../../parts/lists/live-list.tsx';
import { useLivePages } from '../../parts/lists/use-live-pages.ts';
import { EventRow } from './event-row.tsx';
import { NoEvents } from './no-events.tsx';
import { useEventFilters } from './use-event-filters.ts';

const REFRESH_MS = 4_000;
const EVENT_STATES = ['normalized', 'filtered', 'failed', 'rejected'];

const STATES = EVENT_STATES.map((value) => ({ value }));

/** A list of events, newest first, updated live: of all integrations, or of one. */
export function EventList({ webhookId }: { webhookId?: string }) {
  const names = useWebhookNames();
  const { filters, query, change, clear } = useEventFilters(webhookId);
  const pages = useLivePages<Event>('/v2/events', query, { everyMs: REFRESH_MS, keepsLast: true });
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
