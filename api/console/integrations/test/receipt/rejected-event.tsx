import { Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';
import { describeError } from '../../../parts/feedback/failure.tsx';
import type { Answer } from '../event/send-event.ts';
import { refusalAdvice } from './rejection-advice.ts';

type Refusal = Extract<Answer, { eventId: null }>;

/** Why an event was not taken, and what to do. */
export function RefusedEvent({ answer, webhookId }: { answer: Refusal; webhookId: string }) {
  const { failure, retryAfterS } = answer;
  return (
    <div role="alert">
      <Text size="sm" fw={600}>
        {failure.status === 0 ? '' : `${failure.status}: `}
        {failure.message}
      </Text>
      {failure.errors.slice(0, 5).map((error) => (
        <Text size="sm" key={JSON.stringify(error)}>
          {describeError(error)}
        </Text>
      ))}
      <Text size="sm">
        {refusalAdvice(failure.status)}
        {retryAfterS !== null && ` The answer says: try again after ${retryAfterS} s.`}
      </Text>
      {failure.status === 400 && (
        <Anchor component={Link} size="sm" href={`/integrations/${webhookId}/events?state=rejected`}>
          See the rejected events
        </Anchor>
      )}
    </div>
  );
}
