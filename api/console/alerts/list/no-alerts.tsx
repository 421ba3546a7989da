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

const TITLES = {
  firing: 'No alert is firing',
  resolved: 'No alert was resolved',
  test: 'No alert is a test',
};

/** The empty state of each view of the alert list. */
export function NoAlerts({ view, isFiltered, clear, showAll }: NoAlertsProps) {
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
