import { Button } from '@mantine/core';
import { Link } from 'wouter';
import { Empty } from '../../parts/feedback/empty.tsx';
import { NoMatches } from '../../parts/filters/no-matches.tsx';

interface NoEventsProps {
  isFiltered: boolean;
  clear: () => void;
  webhookId?: string | undefined;
}

export function NoEvents({ isFiltered, clear, webhookId }: NoEventsProps) {
  if (isFiltered) return <NoMatches what="event" clear={clear} />;
  const href = webhookId ? `/integrations/${webhookId}/test` : '/integrations';
  return (
    <Empty
      title="No events yet"
      action={
        <Button component={Link} href={href}>
          {webhookId ? 'Send a test event' : 'View integrations'}
        </Button>
      }
    >
      An event is a request that a source sends to the URL of an integration. It appears here within seconds,
      whatever its outcome.
    </Empty>
  );
}
