import { Paper, Skeleton, Text, Title } from '@mantine/core';
import type { Webhook } from '../../http/types.ts';
import { useMay } from '../../http/use-current-key.ts';
import { CopyText } from '../../parts/values/copy.tsx';
import type { TabProps } from '../webhook/tab-props.ts';
import { curlCommand } from './event/curl-command.ts';
import { canSign, VALID_MINUTES } from './event/sign-event.ts';
import { useEventHeaders } from './event/use-event-headers.ts';

/** The command that sends the payload from a terminal. */
export function CurlSection({ webhook, body }: TabProps & { body: string }) {
  const headers = useEventHeaders(webhook, body);
  const may = useMay('webhooks:write');
  const note = noteOn(webhook.signature, may);
  return (
    <Paper withBorder p="md" component="section" aria-label="From a terminal">
      <Title order={2} size="h5" mb="xs">
        From a terminal
      </Title>
      {headers === null || webhook.url === null ? (
        <Skeleton height={120} />
      ) : (
        <CopyText text={curlCommand(webhook.url, headers, body)} what="the command" />
      )}
      {note && (
        <Text size="sm" c="dimmed" mt="xs">
          {note}
        </Text>
      )}
    </Paper>
  );
}

function noteOn(signature: Webhook['signature'], may: boolean): string | null {
  if (!may)
    return 'The URL is masked, because this key has no scope webhooks:write: put the real one in its place.';
  if (!signature) return null;
  if (signature.secret === null)
    return 'The secret was stored under another SECRET_KEY and cannot be read: set a new one under “URL and security”.';
  if (!canSign())
    return 'This integration checks signatures, and browsers make them on https: and loopback addresses only.';
  if (signature.scheme === 'github') return 'Signed for just this payload, as GitHub does.';
  return `Signed for just this payload and this moment: it is taken for ${VALID_MINUTES} minutes at most. Run it twice and the event is stored once, because both have the same webhook-id.`;
}
