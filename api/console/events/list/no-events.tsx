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
      title="No event yet"
      action={
        <Button component={Link} href={href}>
          {webhookId ? 'Send a test event' : 'To the integrations'}
        </Button>
      }
    >
      An event is what a source posts to the URL of an integration. It appears here a moment later, whatever
      became of it.
    </Empty>
  );
}
