import { Button } from '@mantine/core';
import { Link } from 'wouter';
import { Empty } from '../parts/empty.tsx';

interface NoEventsProps {
  isFiltered: boolean;
  clear: () => void;
  webhookId?: string | undefined;
}

export function NoEvents({ isFiltered, clear, webhookId }: NoEventsProps) {
  if (isFiltered) return <NoneFits clear={clear} />;
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

const NoneFits = ({ clear }: { clear: () => void }) => (
  <Empty
    title="No event fits"
    action={
      <Button variant="default" onClick={clear}>
        Clear filters
      </Button>
    }
  >
    There are none with these filters; new ones appear here by themselves.
  </Empty>
);
