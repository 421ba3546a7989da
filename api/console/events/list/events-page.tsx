import { Button } from '@mantine/core';
import { Link } from 'wouter';
import { PageHead } from '../../parts/page-head.tsx';
import { EventList } from './event-list.tsx';

/** The event list page: events of all integrations. */
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
        Every request to an integration’s URL, with its outcome. A filtered event was dropped by the filter of
        its mapping. A failed event created no alert. A rejected event was not accepted.
      </PageHead>
      <EventList />
    </>
  );
}
