import { Button, SegmentedControl } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Alert } from '../../http/types.ts';
import { useWebhookNames, type WebhookNames } from '../../integrations/webhook/use-webhook-names.ts';
import { Empty } from '../../parts/feedback/empty.tsx';
import { Loading } from '../../parts/feedback/loading.tsx';
import { NoMatches } from '../../parts/filters/no-matches.tsx';
import { LiveList } from '../../parts/lists/live-list.tsx';
import { SortHeader } from '../../parts/lists/sort-header.tsx';
import { useLivePages } from '../../parts/lists/use-pages.ts';
import { PageHead } from '../../parts/page-head.tsx';
import { AlertChart } from '../chart/alert-chart.tsx';
import { ResolveButton } from '../resolve/resolve-button.tsx';
import { AlertFilterBar } from './alert-filters.tsx';
import type { AlertQuery } from './alert-query.ts';
import { AlertRow } from './alert-row.tsx';
import {
  type AlertSort,
  type AlertSortKey,
  SORT_COLUMNS,
  sortAfterClick,
  sortParameters,
} from './alert-sort.ts';
import { VIEWS, type View } from './alert-views.ts';
import { DownloadAlerts } from './download-alerts.tsx';
import styles from './list.module.css';
import { useAlertView } from './use-alert-view.ts';

const REFRESH_MS = 4_000;
const LABELS: Record<View, string> = {
  firing: 'Firing now',
  resolved: 'Resolved',
  test: 'Tests',
  all: 'All',
};

/** The alert list page: the alerts that fire now, those that were resolved, tests, or all; sorted by a column, updated live. */
export default function AlertsPage() {
  const names = useWebhookNames();
  const { view, filters, query, isFiltered, sort, sortBy, change, clear, show } = useAlertView();
  return (
    <>
      <PageHead title="Alerts" actions={<Actions filters={query} view={view} />}>
        Alerts created from events. Incomplete alerts lack a severity, description or source.
      </PageHead>
      <SegmentedControl
        className={styles.views}
        aria-label="Alerts"
        data={VIEWS.map((value) => ({ value, label: LABELS[value] }))}
        value={view ?? ''}
        onChange={(value) => show(value as View)}
      />
      <AlertFilterBar filters={filters} query={query} change={change} clear={clear} names={names} />
      {view === null ? (
        <Loading shape="table" />
      ) : (
        <>
          <AlertChart
            query={query}
            narrow={({ from, to }) => change({ last: [], from: [from], to: [to] }, { isStep: true })}
          />
          <AlertList
            query={query}
            sort={sort}
            sortBy={sortBy}
            names={names}
            empty={<NoAlerts view={view} isFiltered={isFiltered} clear={clear} showAll={() => show('all')} />}
          />
        </>
      )}
    </>
  );
}

interface ListProps {
  query: AlertQuery;
  sort: AlertSort;
  sortBy(sort: AlertSort): void;
  names: WebhookNames;
  empty: ReactNode;
}

function AlertList({ query, sort, sortBy, names, empty }: ListProps) {
  const sorted = { ...query, ...sortParameters(sort) };
  const pages = useLivePages<Alert>('/v2/alerts', sorted, REFRESH_MS);
  const head = (sortKey: AlertSortKey, label: string) => (
    <SortHeader
      key={sortKey}
      order={sort.sortKey === sortKey ? sort.sortOrder : null}
      onClick={() => sortBy(sortAfterClick(sort, sortKey))}
    >
      {label}
    </SortHeader>
  );
  return (
    <LiveList
      key={JSON.stringify(sorted)}
      pages={pages}
      what="alerts"
      head={[
        head('severity', 'Severity'),
        'Alert',
        'Service',
        'Team',
        'Integration',
        head('startedAt', 'Started'),
        head('lastEventAt', 'Last event'),
        head('duration', 'Duration'),
      ]}
      sorted={{
        column: SORT_COLUMNS[sort.sortKey],
        order: sort.sortOrder === 'asc' ? 'ascending' : 'descending',
      }}
      row={(alert) => <AlertRow key={alert.id} alert={alert} names={names} />}
      empty={empty}
    />
  );
}

const Actions = ({ filters, view }: { filters: AlertQuery; view: View | null }) => (
  <>
    {view === 'firing' && <ResolveButton what={{ filter: filters }} label="Resolve all…" />}
    <Button component={Link} href="/alerts?state=incomplete" variant="default">
      Incomplete alerts
    </Button>
    <Button component={Link} href="/events?state=failed" variant="default">
      Failed events
    </Button>
    <DownloadAlerts filters={filters} />
  </>
);

interface NoAlertsProps {
  view: View;
  isFiltered: boolean;
  clear: () => void;
  showAll: () => void;
}

const TITLES = {
  firing: 'No alert is firing',
  resolved: 'No alert was resolved',
  test: 'No alert is a test',
};

/** The empty state of each view of the alert list. */
function NoAlerts({ view, isFiltered, clear, showAll }: NoAlertsProps) {
  if (isFiltered) return <NoMatches what="alert" clear={clear} />;
  if (view === 'all') return <NoAlertsYet />;
  return (
    <Empty
      title={TITLES[view]}
      action={
        <Button variant="default" onClick={showAll}>
          View all alerts
        </Button>
      }
    >
      {view === 'test'
        ? 'What the Test button of a vendor sends appears here if the mapping of its integration recognizes it.'
        : 'Alerts fire and resolve if the mapping of their integration fills the deduplication key and the status. Alerts without a key are in the list of all alerts only.'}
    </Empty>
  );
}

const NoAlertsYet = () => (
  <Empty
    title="No alerts yet"
    action={
      <Button component={Link} href="/integrations">
        View integrations
      </Button>
    }
  >
    Create an integration and send an event to its URL. The alerts that its mapping creates appear here within
    seconds.
  </Empty>
);
