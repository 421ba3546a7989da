import { Button } from '@mantine/core';
import { Link } from 'wouter';
import { Empty } from '../parts/empty.tsx';

export const NoAlerts = ({ isFiltered, clear }: { isFiltered: boolean; clear: () => void }) =>
  isFiltered ? (
    <Empty
      title="No alert fits"
      action={
        <Button variant="default" onClick={clear}>
          Clear filters
        </Button>
      }
    >
      There are none with these filters; new ones appear here by themselves.
    </Empty>
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
