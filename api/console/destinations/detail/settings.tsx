import { Stack } from '@mantine/core';
import type { Destination } from '../../http/types.ts';
import { useMay } from '../../http/use-current-key.ts';
import { ManagedNote } from '../../parts/managed-note.tsx';
import { useChangeDestination } from '../use-destination.ts';
import { DeleteSection } from './delete-section.tsx';
import { DrawnSection } from './drawn-section.tsx';
import { ReceiverSection } from './receiver-section.tsx';
import { SecretSection } from './secret-section.tsx';
import { ToldFacts, ToldSection } from './told-section.tsx';

/** The settings of a destination: who is told of what, its filter and body, its URL, its secret, and its deletion. */
export default function Settings({ destination }: { destination: Destination }) {
  const { id, managedBy } = destination;
  const { mutate, isPending, error } = useChangeDestination(id);
  if (!useMay('destinations:write')) return <ToldFacts destination={destination} />;
  const run = () =>
    mutate({ method: 'PATCH', json: { managedBy: null }, done: 'No longer managed by files' });
  return (
    <Stack>
      <ManagedNote managedBy={managedBy} what="Its settings" stop={{ run, isPending }} error={error} />
      <ToldSection destination={destination} />
      <DrawnSection destination={destination} />
      <ReceiverSection destination={destination} />
      <SecretSection destination={destination} />
      <DeleteSection destination={destination} />
    </Stack>
  );
}
