import { Stack } from '@mantine/core';
import type { Destination } from '../../http/types.ts';
import { useMay } from '../../http/use-current-key.ts';
import { DeleteSection } from './delete-section.tsx';
import { DrawnSection } from './drawn-section.tsx';
import { ReceiverSection } from './receiver-section.tsx';
import { SecretSection } from './secret-section.tsx';
import { ToldFacts, ToldSection } from './told-section.tsx';

/** The settings of a destination: who is told of what, its filter and body, its URL, its secret, and its deletion. */
export default function Settings({ destination }: { destination: Destination }) {
  if (!useMay('destinations:write')) return <ToldFacts destination={destination} />;
  return (
    <Stack>
      <ToldSection destination={destination} />
      <DrawnSection destination={destination} />
      <ReceiverSection destination={destination} />
      <SecretSection destination={destination} />
      <DeleteSection destination={destination} />
    </Stack>
  );
}
