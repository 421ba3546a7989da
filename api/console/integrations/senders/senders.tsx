import { Button, Group, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { requestJson } from '../../http/request.ts';
import type { One, UsedToken } from '../../http/types.ts';
import { useMay } from '../../http/use-current-key.ts';
import { OnDemand } from '../../parts/feedback/boundary.tsx';
import { Failure } from '../../parts/feedback/failure.tsx';
import { lazyPart } from '../../parts/feedback/lazy-part.tsx';
import { Loading } from '../../parts/feedback/loading.tsx';
import type { TabProps } from '../webhook/tab-props.ts';
import { sendersPath } from './path.ts';
import { TokenSection } from './token-section.tsx';

const REFRESH_MS = 10_000;
const ImportTokenDialog = lazyPart(() => import('./import-token-dialog.tsx'));

/** The senders tab: which programs use which token, so that a person sees when nothing uses an old one any more. */
export default function Senders({ webhook }: TabProps) {
  const may = useMay('webhooks:write');
  const [isImporting, setImporting] = useState(false);
  const path = sendersPath(webhook.id);
  const { data, error, refetch } = useQuery({
    queryKey: [path],
    queryFn: ({ signal }) => requestJson<One<UsedToken[]>>(path, { signal }),
    refetchInterval: REFRESH_MS,
  });
  const failure = error && <Failure error={error} title="Could not load the senders" retry={refetch} />;
  if (!data) return failure ?? <Loading shape="table" />;
  return (
    <Stack>
      {failure}
      <Group justify="space-between">
        <Text size="sm" c="dimmed" maw="44rem">
          Requests of the last 90 days, by token, path, host and User-Agent. Counts are a minute late.
        </Text>
        {may && (
          <Button leftSection={<IconPlus size={16} />} onClick={() => setImporting(true)}>
            Import token
          </Button>
        )}
      </Group>
      {data.data.map((token) => (
        <TokenSection
          key={token.imported?.id ?? token.createdAt}
          token={token}
          webhookId={webhook.id}
          may={may}
        />
      ))}
      <OnDemand>
        {isImporting && <ImportTokenDialog webhookId={webhook.id} onClose={() => setImporting(false)} />}
      </OnDemand>
    </Stack>
  );
}
