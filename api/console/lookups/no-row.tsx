import type { LookedUp } from '../http/types.ts';
import { LookedUpKey } from './looked-up-key.tsx';

const TEXTS = {
  no_key: 'The key has no value in this payload.',
  key_too_long: 'The key has more than 1,000 characters.',
  too_many_keys: 'The event has too many different keys.',
  too_much_text: 'Too much text was found for the event before.',
  too_many_comparisons: 'The keys of the event were compared with patterns for too long.',
} as const;

/** Says why a lookup found nothing, and which key was probably meant. */
export function NoRow({ found }: { found: LookedUp }) {
  const { table, integrationId, key, nearest, reason } = found;
  const place = { table, integrationId };
  if (reason === 'no_table') return <>There is no table {table}.</>;
  if (reason !== 'no_row') return reason && TEXTS[reason];
  const shown = <LookedUpKey {...place} text={key ?? ''} />;
  if (table === null) return <>The account {shown} has no owner.</>;
  return (
    <>
      No row for key {shown}
      {nearest !== null && (
        <>
          {' '}
          (nearest: <LookedUpKey {...place} text={nearest} isFound />)
        </>
      )}
      .
    </>
  );
}
