import { Button } from '@mantine/core';
import { Link } from 'wouter';
import { Empty } from '../../parts/feedback/empty.tsx';
import { NoMatches } from '../../parts/filters/no-matches.tsx';

export const NoAlerts = ({ isFiltered, clear }: { isFiltered: boolean; clear: () => void }) =>
  isFiltered ? (
    <NoMatches what="alert" clear={clear} />
  ) : (
    <Empty
      title="No alerts yet"
      action={
        <Button component={Link} href="/integrations">
          View integrations
        </Button>
      }
    >
      Create an integration and send an event to its URL. The alerts that its mapping creates appear here
      within seconds.
    </Empty>
  );
