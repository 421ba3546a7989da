import { Text } from '@mantine/core';
import { EventList } from '../events/list/event-list.tsx';
import { useMay } from '../http/use-current-key.ts';
import type { TabProps } from './webhook/tab-props.ts';

/** What came in by this integration. */
export default function Events({ webhook }: TabProps) {
  const may = useMay('alerts:read');
  if (!may) return <Text>To see the events takes a key with the scope alerts:read.</Text>;
  return <EventList webhookId={webhook.id} />;
}
