import { Button } from '@mantine/core';
import { Link } from 'wouter';
import { Empty } from '../../parts/feedback/empty.tsx';
import { NoMatches } from '../../parts/filters/no-matches.tsx';
import type { View } from './alert-views.ts';

interface NoAlertsProps {
  view: View;
  isFiltered: boolean;
  clear: () => void;
  showAll: () => void;
}

/** The empty state of each view of the alert list. */
export function NoAlerts({ view, isFiltered, clear, showAll }: NoAlertsProps) {
  if (isFiltered) return <NoMatches what="alert" clear={clear} />;
  if (view === 'all') return <NoAlertsYet />;
  return (
    <Empty
      title={view === 'firing' ? 'No alert is firing' : 'No alert was resolved'}
      action={
        <Button variant="default" onClick={showAll}>
          View all alerts
        </Button>
      }
    >
      Alerts fire and resolve if the mapping of their integration fills the deduplication key and the status.
      Alerts without a key are in the list of all alerts only.
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
