import { Button } from '@mantine/core';
import { Link } from 'wouter';
import type { Alert } from '../../http/types.ts';
import { usePages } from '../../http/use-pages.ts';
import { useWebhookNames } from '../../integrations/webhook/use-webhook-names.ts';
import { countSet } from '../../parts/filters/url-filters.ts';
import { useUrlFilters } from '../../parts/filters/use-url-filters.ts';
import { LiveList } from '../../parts/lists/live-list.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { ALERT_FILTERS, AlertFilterBar } from './alert-filters.tsx';
import { AlertRow } from './alert-row.tsx';
import { DownloadAlerts } from './download-alerts.tsx';
import { NoAlerts } from './no-alerts.tsx';

const REFRESH_MS = 4_000;

/** The alert list page: all alerts, newest first, updated live. */
export default function AlertsPage() {
  const names = useWebhookNames();
  const { filters, change, clear } = useUrlFilters(ALERT_FILTERS);
  const pages = usePages<Alert>('/v2/alerts', filters, { refetchInterval: REFRESH_MS, keepsLast: true });
  return (
    <>
      <PageHead title="Alerts" actions={<Actions filters={filters} />}>
        Alerts created from events. Incomplete alerts lack a severity, description or source.
      </PageHead>
      <AlertFilterBar filters={filters} change={change} clear={clear} names={names} />
      <LiveList
        key={JSON.stringify(filters)}
        pages={pages}
        what="alerts"
        head={['Severity', 'Alert', 'Service', 'Team', 'Integration', 'Received']}
        row={(alert) => <AlertRow key={alert.id} alert={alert} names={names} />}
        empty={<NoAlerts isFiltered={countSet(filters) > 0} clear={clear} />}
      />
    </>
  );
}

const Actions = ({ filters }: { filters: Record<string, string> }) => (
  <>
    <Button component={Link} href="/alerts?state=incomplete" variant="default">
      Incomplete alerts
    </Button>
    <Button component={Link} href="/events?state=failed" variant="default">
      Failed events
    </Button>
    <DownloadAlerts filters={filters} />
  </>
);
