import { Button, Group, Paper, Text, Textarea, Title } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import type { Webhook } from '../../http/types.ts';
import { useMay } from '../../http/use-current-key.ts';
import { announce } from '../../parts/feedback/announce.tsx';
import { Failure } from '../../parts/feedback/failure.tsx';
import { isJson } from '../../parts/values/json-text.ts';
import type { TabProps } from '../webhook/tab-props.ts';
import { CurlSection } from './curl-section.tsx';
import { sendEvent } from './event/send-event.ts';
import { headersFor } from './event/use-event-headers.ts';
import { ReceiptSteps } from './receipt/receipt-steps.tsx';
import styles from './test.module.css';
import { type TestPayload, useTestPayload } from './use-test-payload.ts';

/** Sends an event as the source would, and follows it until its alerts are there. */
export default function Test({ webhook }: TabProps) {
  const payload = useTestPayload(webhook);
  const may = useMay('webhooks:write');
  const send = useSend(webhook, payload.text);
  return (
    <div className={styles.columns}>
      <PayloadBox payload={payload} />
      <Paper withBorder p="md" component="section" aria-label="Send it from here" className={styles.receipt}>
        <Group justify="space-between" mb="md">
          <Title order={2} size="h5">
            Send it from here
          </Title>
          <Button
            leftSection={<IconSend size={16} />}
            loading={send.isPending}
            disabled={!may || webhook.url === null || payload.text === ''}
            onClick={() => send.mutate()}
          >
            Send it
          </Button>
        </Group>
        {!may && (
          <Text size="sm" mb="sm">
            The URL is a secret that this key may not see: it takes the scope webhooks:write to send from
            here.
          </Text>
        )}
        {send.error && <Failure error={send.error} title="It could not be sent" />}
        <ReceiptSteps
          key={send.submittedAt}
          webhookId={webhook.id}
          answer={send.data}
          isSending={send.isPending}
        />
      </Paper>
      <CurlSection webhook={webhook} body={payload.text} />
    </div>
  );
}

function useSend(webhook: Webhook, body: string) {
  return useMutation({
    mutationFn: async () =>
      sendEvent({ url: webhook.url ?? '', headers: await headersFor(webhook, body), body }),
    onSuccess: ({ failure }) =>
      announce(failure ? `Not taken: ${failure.message}` : 'Accepted. Waiting for a worker.'),
  });
}

const PayloadBox = ({ payload: { text, change, origin, reset } }: { payload: TestPayload }) => (
  <Paper withBorder p="md">
    <Textarea
      label="Payload"
      description={origin}
      autosize
      minRows={6}
      maxRows={16}
      spellCheck={false}
      value={text}
      onChange={({ currentTarget }) => change(currentTarget.value)}
      classNames={{ input: styles.code }}
      inputWrapperOrder={['label', 'description', 'input', 'error']}
    />
    <Group justify="space-between" mt="xs" mih="1.9rem">
      <Text size="sm" c={isJson(text) ? 'dimmed' : 'var(--warn)'} role="status">
        {isJson(text) ? 'Valid JSON' : 'No JSON: it will be answered 400 and kept as rejected'}
      </Text>
      {reset && (
        <Button size="compact-sm" variant="subtle" onClick={reset}>
          Back to the sample
        </Button>
      )}
    </Group>
  </Paper>
);
