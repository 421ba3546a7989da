import { Button } from '@mantine/core';
import { Link } from 'wouter';
import { Empty } from '../../parts/feedback/empty.tsx';
import { NoMatches } from '../../parts/filters/no-matches.tsx';

export const NoAlerts = ({ isFiltered, clear }: { isFiltered: boolean; clear: () => void }) =>
  isFiltered ? (
    <NoMatches what="alert" clear={clear} />
  ) : (
    <Empty
      title="No alert yet"
      action={
        <Button component={Link} href="/integrations">
          To the integrations
        </Button>
      }
    >
      Make an integration and send an event to its URL. What its mapping makes of it appears here a moment
      later.
    </Empty>
  );
