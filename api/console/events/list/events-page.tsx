import { Button } from '@mantine/core';
import { Link } from 'wouter';
import { PageHead } from '../../parts/page-head.tsx';
import { EventList } from './event-list.tsx';

/** All events. */
export default function EventsPage() {
  return (
    <>
      <PageHead
        title="Events"
        actions={
          <Button component={Link} href="/alerts?state=incomplete" variant="default">
            Incomplete alerts
          </Button>
        }
      >
        What came in, as it came in, and what became of it. A failed one made no alert; a rejected one was no
        event.
      </PageHead>
      <EventList />
    </>
  );
}
