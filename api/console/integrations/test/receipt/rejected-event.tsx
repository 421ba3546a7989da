import { Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';
import { describeError } from '../../../parts/feedback/failure.tsx';
import { Message } from '../../../parts/values/message.tsx';
import type { SendResult } from '../event/send-event.ts';

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

/** Returns what to do next if an integration's URL responded with this status; 0 for no response. */
function rejectionAdvice(status: number): string {
  return ADVICE[status] ?? 'The API’s log has the details under the request ID.';
}

const ADVICE: Record<number, string> = {
  0: 'Muster did not respond. Check that it is running and that this browser can reach it.',
  400: 'A source that posts this payload gets the same response. The event is stored with the rejected events, where you can inspect it.',
  401: 'The integration requires a signature, and this one is invalid. Check the secret under “URL and security”.',
  404: 'No integration has this URL. It was replaced or deleted. Copy the current URL under “URL and security”.',
  413: 'The event is too large. Have the source send less, or raise INTAKE_MAX_BYTES.',
  415: 'Send the event without compression.',
  429: 'The integration received more events this minute than its rate limit allows. Wait, or raise the limit under “URL and security”.',
  503: 'A source that retries after 503 loses no events. The Health page shows the cause.',
};
