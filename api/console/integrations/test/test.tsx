import { Button, Group, Paper, Text, Textarea, Title } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Webhook } from '../../http/types.ts';
import { useMay } from '../../http/use-current-key.ts';
import { announce } from '../../parts/feedback/announce.tsx';
import { Failure } from '../../parts/feedback/failure.tsx';
import { isJson } from '../../parts/values/json-text.ts';
import type { TabProps } from '../webhook/tab-props.ts';
import { useNewest } from '../webhook/use-newest-event.ts';
import { CurlSection } from './curl-section.tsx';
import { type SendResult, sendEvent } from './event/send-event.ts';
import { headersFor, useSignaturePreset } from './event/use-event-headers.ts';
import { ReceiptSteps } from './receipt/receipt-steps.tsx';
import styles from './test.module.css';
import { type TestPayload, useTestPayload } from './use-test-payload.ts';

const MAX_ROWS = 16;

/** The test tab: sends an event as the source would, and follows it until its alerts are stored. */
export default function Test({ webhook }: TabProps) {
  const payload = useTestPayload(webhook);
  const may = useMay('webhooks:write');
  const send = useSend(webhook, payload.text);
  const { result, isFromElsewhere } = useFollowedEvent(webhook.id, send.data, send.submittedAt);
  return (
    <div className={styles.columns}>
      <PayloadEditor payload={payload} />
      <Paper
        withBorder
        p="md"
        component="section"
        aria-label="Send from the console"
        className={styles.receipt}
      >
        <Group justify="space-between" mb="md">
          <Title order={2} size="h5">
            Send from the console
          </Title>
          <Button
            leftSection={<IconSend size={16} />}
            loading={send.isPending}
            disabled={!may || webhook.url === null || payload.text === ''}
            onClick={() => send.mutate()}
          >
            Send event
          </Button>
        </Group>
        {!may && (
          <Text size="sm" mb="sm">
            This key cannot see the URL. Sending events from the console needs a key with the scope
            webhooks:write.
          </Text>
        )}
        {send.error && <Failure error={send.error} title="Could not send the event" />}
        {isFromElsewhere && !send.isPending && (
          <Text size="sm" mb="sm" role="status">
            Received an event that was not sent from this page.
          </Text>
        )}
        <ReceiptSteps
          key={result?.eventId ?? send.submittedAt}
          webhookId={webhook.id}
          result={send.isPending ? undefined : result}
          isSending={send.isPending}
        />
      </Paper>
      <CurlSection webhook={webhook} body={payload.text} />
    </div>
  );
}

function useSend(webhook: Webhook, body: string) {
  const preset = useSignaturePreset(webhook);
  return useMutation({
    mutationFn: async () =>
      sendEvent({ url: webhook.url ?? '', headers: await headersFor(webhook, preset, body), body }),
    onSuccess: ({ failure }) =>
      announce(failure ? `Not accepted: ${failure.message}` : 'Accepted. Waiting for a worker.'),
  });
}

const PayloadEditor = ({
  payload: { text, isReady, change, origin, reset, resolve },
}: {
  payload: TestPayload;
}) => (
  <Paper withBorder p="md">
    <Textarea
      label="Payload"
      description={origin}
      autosize
      // Most samples are this long. Until they are loaded, their place is kept.
      minRows={isReady ? 6 : MAX_ROWS}
      maxRows={MAX_ROWS}
      spellCheck={false}
      value={text}
      readOnly={!isReady}
      onChange={({ currentTarget }) => change(currentTarget.value)}
      classNames={{ input: styles.code }}
      inputWrapperOrder={['label', 'description', 'input', 'error']}
    />
    <Group justify="space-between" mt="xs" mih="1.9rem">
      <Text size="sm" c={isJson(text) ? 'dimmed' : 'var(--warn)'} role="status">
        {isJson(text)
          ? 'Valid JSON'
          : 'Invalid JSON: the event will get a 400 response and be stored as rejected'}
      </Text>
      <Group gap="xs">
        {resolve && (
          <Button size="compact-sm" variant="subtle" onClick={resolve}>
            Use resolving sample
          </Button>
        )}
        {reset && (
          <Button size="compact-sm" variant="subtle" onClick={reset}>
            Reset to sample
          </Button>
        )}
      </Group>
    </Group>
  </Paper>
);

/**
 * Returns the event to follow: the one that was sent from the page, or one that came later from elsewhere, such as a terminal. Ids sort
 * by time.
 * @param sentAt when the page sent its last event; 0 if it sent none
 */
function useFollowedEvent(webhookId: string, sent: SendResult | undefined, sentAt: number) {
  const { data: newest } = useNewest(webhookId);
  const [before, setBefore] = useState<{ id: string | null; sentAt: number }>();
  // Events from before the page was opened, and from before it sent its last event, are not followed.
  if (newest !== undefined && before?.sentAt !== sentAt) setBefore({ id: newest?.id ?? null, sentAt });
  const isNewer =
    newest && newest.state !== 'rejected' && before !== undefined && newest.id !== before.id
      ? (sent?.eventId ?? '') < newest.id
      : false;
  const result: SendResult | undefined = isNewer && newest ? { eventId: newest.id, failure: null } : sent;
  return { result, isFromElsewhere: isNewer };
}
