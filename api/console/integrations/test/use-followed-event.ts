import { useState } from 'react';
import { useNewest } from '../webhook/use-newest-event.ts';
import type { SendResult } from './event/send-event.ts';

/**
 * Returns the event to follow: the one that was sent from the page, or one that came later from elsewhere, such as a terminal. Ids sort
 * by time.
 * @param sentAt when the page sent its last event; 0 if it sent none
 */
export function useFollowedEvent(webhookId: string, sent: SendResult | undefined, sentAt: number) {
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
