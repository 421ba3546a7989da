import { Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';
import { describeError } from '../../../parts/feedback/failure.tsx';
import { Message } from '../../../parts/values/message.tsx';
import type { SendResult } from '../event/send-event.ts';
import { rejectionAdvice } from './rejection-advice.ts';

type Rejection = Extract<SendResult, { eventId: null }>;

/** Says why an event was not accepted, and what to do next. */
export function RejectedEvent({ rejection, webhookId }: { rejection: Rejection; webhookId: string }) {
  const { failure, retryAfterS } = rejection;
  return (
    <div role="alert">
      <Text size="sm" fw={600}>
        {failure.status === 0 ? '' : `${failure.status}: `}
        <Message text={failure.message} />
      </Text>
      {failure.errors.slice(0, 5).map((error) => (
        <Text size="sm" key={JSON.stringify(error)}>
          <Message text={describeError(error)} />
        </Text>
      ))}
      <Text size="sm">
        {rejectionAdvice(failure.status)}
        {retryAfterS !== null && ` Retry after ${retryAfterS} s.`}
      </Text>
      {failure.status === 400 && (
        <Anchor component={Link} size="sm" href={`/integrations/${webhookId}/events?state=rejected`}>
          View rejected events
        </Anchor>
      )}
    </div>
  );
}
