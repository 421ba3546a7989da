import { Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';
import { useSeenSeverities } from '../alerts/use-seen-severities.ts';
import type { Webhook } from '../http/types.ts';
import { countUnknown } from '../mapping/model/severity-words.ts';
import { useRevision } from '../mapping/state/use-saved-mapping.ts';
import { counted } from '../text/quantities.ts';

const SHOWN = 4;

/** Says which severities of an integration's newest alerts are neither built in nor ranked by its mapping, and links to the mapping. */
export function UnknownSeverities({ webhook }: { webhook: Webhook }) {
  const seen = useSeenSeverities(webhook.id);
  return countUnknown(seen).length === 0 ? null : <Unranked webhook={webhook} seen={seen} />;
}

function Unranked({ webhook, seen }: { webhook: Webhook; seen: readonly (string | null)[] }) {
  const { data: saved } = useRevision(webhook, webhook.mappingRevision);
  const unknown = saved ? countUnknown(seen, saved.draft.fields.severity.ranks) : [];
  if (unknown.length === 0) return null;
  const words = unknown.slice(0, SHOWN).map(({ severity }) => severity);
  return (
    <Text size="sm" mb="md" maw="46rem">
      Alerts have {counted(unknown.length, 'unknown severity', 'unknown severities')}:{' '}
      <bdi>{words.join(', ')}</bdi>
      {unknown.length > SHOWN && ', …'}.{' '}
      <Anchor component={Link} href={`/integrations/${webhook.id}/mapping`} underline="always">
        Map them
      </Anchor>
    </Text>
  );
}
