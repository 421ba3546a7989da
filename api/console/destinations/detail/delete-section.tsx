import { useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { request } from '../../http/request.ts';
import type { Destination } from '../../http/types.ts';
import { useSendOnce } from '../../http/use-send-once.ts';
import { announce } from '../../parts/feedback/announce.tsx';
import { Confirm } from '../../parts/feedback/confirm.tsx';
import { Section } from '../../parts/section.tsx';
import { DESTINATIONS, destinationEntry } from '../use-destination.ts';

/** Deletes the destination, after a confirmation. */
export function DeleteSection({ destination: { id, name } }: { destination: Destination }) {
  const cache = useQueryClient();
  const once = useSendOnce();
  const [, navigate] = useLocation();
  const { path, queryKey } = destinationEntry(id);
  const remove = async () => {
    await once(id, (key) => request(path, { method: 'DELETE', headers: { 'idempotency-key': key } }));
    navigate('/destinations');
    cache.removeQueries({ queryKey });
    await cache.invalidateQueries({ queryKey: [DESTINATIONS] });
    announce(`Deleted destination ${name}`);
  };
  return (
    <Section title="Delete" about="Messages that wait are not sent.">
      <Confirm
        label="Delete destination"
        title={`Delete ${name}?`}
        mustType={name}
        size="sm"
        color="red"
        onConfirm={remove}
      >
        Nobody is told of alerts there any longer, and what it was told is no longer listed. You cannot undo
        this.
      </Confirm>
    </Section>
  );
}
