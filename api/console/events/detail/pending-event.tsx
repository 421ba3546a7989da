import { Anchor, Loader } from '@mantine/core';
import { Link } from 'wouter';
import { Empty } from '../../parts/feedback/empty.tsx';

/** Shown in place of an event until a worker has stored it. */
export const PendingEvent = ({ id }: { id: string }) => (
  <Empty title="This event is not stored yet" action={<Loader size="sm" />}>
    {id} may still be in the queue. The page shows it as soon as a worker has stored it. If this takes long,{' '}
    <Anchor component={Link} href="/health" underline="always">
      check Health
    </Anchor>
    .
  </Empty>
);
