import { Alert, Box, Button, Stack, Text } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { requestJson } from '../../http/request.ts';
import type { One, Receipt, SnsConfirmation } from '../../http/types.ts';
import { useMay } from '../../http/use-current-key.ts';
import { Facts } from '../../parts/facts.tsx';
import { announce } from '../../parts/feedback/announce.tsx';
import { Failure } from '../../parts/feedback/failure.tsx';
import { Section } from '../../parts/section.tsx';
import { Ago } from '../../parts/values/ago.tsx';
import { eventQuery } from '../event-query.ts';

type Subscription = NonNullable<Receipt['snsSubscription']>;

interface SnsSubscriptionProps {
  eventId: string;
  subscription: Subscription;
}

/** A request of Amazon SNS to confirm a subscription: the button that confirms it, or who has confirmed it. */
export const SnsSubscription = ({ eventId, subscription }: SnsSubscriptionProps) => (
  <Section title="Amazon SNS subscription" about={ABOUT} wide>
    <Stack>
      <Facts
        facts={[
          ['Topic', <code key="topic">{subscription.topicArn}</code>],
          ['Host', <code key="host">{subscription.host}</code>],
        ]}
      />
      {subscription.confirmation ? (
        <Confirmed confirmation={subscription.confirmation} />
      ) : (
        <Unconfirmed eventId={eventId} />
      )}
    </Stack>
  </Section>
);

const ABOUT =
  'Amazon SNS sends messages of this topic only after somebody confirms the subscription. Check that you know the topic: anyone with the URL can send this request. Muster verifies the signature and the host before it opens the link.';

function Unconfirmed({ eventId }: Pick<SnsSubscriptionProps, 'eventId'>) {
  const may = useMay('webhooks:write');
  const cache = useQueryClient();
  const confirming = useMutation({
    mutationFn: () =>
      requestJson<One<SnsConfirmation>>(`/v2/events/${eventId}/confirm-subscription`, { method: 'POST' }),
    onSuccess: async () => {
      announce('Subscription confirmed');
      await cache.invalidateQueries({ queryKey: eventQuery(eventId).queryKey });
    },
  });
  return (
    <>
      {confirming.isError && <Failure error={confirming.error} title="Could not confirm the subscription" />}
      <Box>
        <Button
          leftSection={<IconCheck size={16} />}
          loading={confirming.isPending}
          disabled={!may}
          onClick={() => confirming.mutate()}
        >
          Confirm subscription
        </Button>
      </Box>
      {!may && (
        <Text size="sm" c="dimmed">
          This key lacks the scope webhooks:write.
        </Text>
      )}
    </>
  );
}

const Confirmed = ({ confirmation }: { confirmation: NonNullable<Subscription['confirmation']> }) => (
  <Alert color="green" title="Subscription confirmed">
    Confirmed <Ago at={confirmation.confirmedAt} /> with the key “{confirmation.confirmedBy.name}”. Amazon SNS
    sends the messages of this topic to the integration.
    {confirmation.subscriptionArn && (
      <>
        {' '}
        Subscription: <code>{confirmation.subscriptionArn}</code>
      </>
    )}
  </Alert>
);
