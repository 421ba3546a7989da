import { Paper, Skeleton, Text, Title } from '@mantine/core';
import type { SignaturePreset, Webhook } from '../../http/types.ts';
import { useMay } from '../../http/use-current-key.ts';
import { CopyText } from '../../parts/values/copy.tsx';
import type { TabProps } from '../webhook/tab-props.ts';
import { curlCommand } from './event/curl-command.ts';
import { canSign, VALID_MINUTES } from './event/sign-event.ts';
import { useEventHeaders, useSignaturePreset } from './event/use-event-headers.ts';

/** Shows the command that sends the payload from a terminal. */
export function CurlSection({ webhook, body }: TabProps & { body: string }) {
  const headers = useEventHeaders(webhook, body);
  const may = useMay('webhooks:write');
  const preset = useSignaturePreset(webhook);
  const note = describeSignature(webhook.signature, preset?.family, may);
  return (
    <Paper withBorder p="md" component="section" aria-label="Send from a terminal">
      <Title order={2} size="h5" mb="xs">
        Send from a terminal
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

function describeSignature(
  signature: Webhook['signature'],
  family: SignaturePreset['family'] | undefined,
  may: boolean,
): string | null {
  if (!may)
    return 'The URL is masked because this key does not have the scope webhooks:write. Insert the real URL.';
  if (!signature || !family) return null;
  if (family === 'sns' || family.endsWith('ed25519'))
    return 'Only the source can sign events with this scheme. The command sends the event without a signature.';
  if (signature.secret === null)
    return 'The secret was encrypted with another SECRET_KEY and cannot be read. Set a new one under “URL and security”.';
  if (!canSign())
    return 'This integration requires signatures. Browsers can create them on https: and loopback addresses only.';
  if (family === 'token' || family === 'basic') return 'The command contains the secret.';
  if (family === 'hmac') return 'The signature is valid for this payload only.';
  return `The signature is valid for this payload only, for at most ${VALID_MINUTES} minutes. Running the command twice stores the event once, because both requests have the same webhook-id.`;
}
