import { Alert, Box, Button, Stack, Text } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { requestJson } from '../../http/request.ts';
import type { One, Receipt, SnsConfirmation } from '../../http/types.ts';
import { useMay } from '../../http/use-current-key.ts';
import { Facts } from '../../parts/facts.tsx';
import { announce } from '../../parts/feedback/announce.tsx';
import { Failure } from '../../parts/feedback/failure.tsx';
import { Section } from '../../parts/section.tsx';

interface SnsSubscriptionProps {
  eventId: string;
  subscription: NonNullable<Receipt['snsSubscription']>;
}

/** A request of Amazon SNS to confirm a subscription, with the button that confirms it. */
export function SnsSubscription({ eventId, subscription }: SnsSubscriptionProps) {
  const may = useMay('webhooks:write');
  const confirming = useMutation({
    mutationFn: () =>
      requestJson<One<SnsConfirmation>>(`/v2/events/${eventId}/confirm-subscription`, { method: 'POST' }),
    onSuccess: () => announce('Subscription confirmed'),
  });
  const confirm = () => confirming.mutate();
  return (
    <Section title="Amazon SNS subscription" about={ABOUT} wide>
      <Stack>
        <Facts
          facts={[
            ['Topic', <code key="topic">{subscription.topicArn}</code>],
            ['Host', <code key="host">{subscription.host}</code>],
          ]}
        />
        {confirming.isError && (
          <Failure error={confirming.error} title="Could not confirm the subscription" />
        )}
        {confirming.isSuccess ? (
          <Confirmed subscriptionArn={confirming.data.data.subscriptionArn} />
        ) : (
          <Box>
            <Button
              leftSection={<IconCheck size={16} />}
              loading={confirming.isPending}
              disabled={!may}
              onClick={confirm}
            >
              Confirm subscription
            </Button>
          </Box>
        )}
        {!may && (
          <Text size="sm" c="dimmed">
            This key lacks the scope webhooks:write.
          </Text>
        )}
      </Stack>
    </Section>
  );
}

const ABOUT =
  'Amazon SNS sends messages of this topic only after somebody confirms the subscription. Check that you know the topic: anyone with the URL can send this request. Muster verifies the signature and the host before it opens the link.';

const Confirmed = ({ subscriptionArn }: Pick<SnsConfirmation, 'subscriptionArn'>) => (
  <Alert color="green" title="Subscription confirmed">
    Amazon SNS now sends the messages of this topic to the integration.
    {subscriptionArn && (
      <>
        {' '}
        Subscription: <code>{subscriptionArn}</code>
      </>
    )}
  </Alert>
);
