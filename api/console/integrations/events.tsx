import { Text } from '@mantine/core';
import { EventList } from '../events/list/event-list.tsx';
import { useMay } from '../http/use-current-key.ts';
import type { TabProps } from './webhook/tab-props.ts';

/** The events that the integration has received. */
export default function Events({ webhook }: TabProps) {
  const may = useMay('alerts:read');
  if (!may) return <Text>Viewing events needs a key with the scope alerts:read.</Text>;
  return <EventList webhookId={webhook.id} />;
}
