import { useRef } from 'react';
import { newIdempotencyKey } from './idempotency-key.ts';
import { RequestFailure } from './request-failure.ts';

/**
 * Sends a change with an Idempotency-Key that stays until there was an answer: the same content sent again after a lost
 * one is done once, and sent again after an answer it is another change.
 */
export function useSendOnce() {
  const last = useRef<{ content: string; key: string } | null>(null);
  return async <Answer>(content: unknown, send: (key: string) => Promise<Answer>): Promise<Answer> => {
    const text = JSON.stringify(content);
    if (last.current?.content !== text) last.current = { content: text, key: newIdempotencyKey() };
    try {
      const answer = await send(last.current.key);
      last.current = null;
      return answer;
    } catch (error) {
      if (!(error instanceof RequestFailure && error.isTemporary)) last.current = null;
      throw error;
    }
  };
}
