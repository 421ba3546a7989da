import { Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';
import { useSeenSeverities } from '../alerts/use-seen-severities.ts';
import { countUnknown } from '../mapping/model/severity-words.ts';
import { counted } from '../text/quantities.ts';

const SHOWN = 4;

/** Says which severities of an integration's newest alerts Muster does not know, and links to the mapping. */
export function UnknownSeverities({ webhookId }: { webhookId: string }) {
  const unknown = countUnknown(useSeenSeverities(webhookId));
  if (unknown.length === 0) return null;
  const words = unknown.slice(0, SHOWN).map(({ severity }) => severity);
  return (
    <Text size="sm" mb="md" maw="46rem">
      Alerts have {counted(unknown.length, 'unknown severity', 'unknown severities')}:{' '}
      <bdi>{words.join(', ')}</bdi>
      {unknown.length > SHOWN && ', …'}.{' '}
      <Anchor component={Link} href={`/integrations/${webhookId}/mapping`} underline="always">
        Map them
      </Anchor>
    </Text>
  );
}
