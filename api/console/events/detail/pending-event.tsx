import { Anchor, Loader } from '@mantine/core';
import { Link } from 'wouter';
import { Empty } from '../../parts/feedback/empty.tsx';

/** What stands at an event's address until a worker has stored it. */
export const PendingEvent = ({ id }: { id: string }) => (
  <Empty title="This event is not stored yet" action={<Loader size="sm" />}>
    {id} may be on its way: the page shows it as soon as a worker has stored it. If that takes long,{' '}
    <Anchor component={Link} href="/health" underline="always">
      look at Health
    </Anchor>
    .
  </Empty>
);
