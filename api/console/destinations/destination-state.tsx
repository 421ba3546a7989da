import type { Destination } from '../http/types.ts';
import { Ago } from '../parts/values/ago.tsx';
import { counted } from '../text/quantities.ts';

type State = Pick<Destination, 'state' | 'stoppedBecause' | 'failures' | 'failingSince'>;

/** Why nothing is sent to a destination, or only one message at a time; nothing for one that is active. */
export function WhyState({ destination }: { destination: State }) {
  const { state, stoppedBecause, failures, failingSince } = destination;
  if (state === 'paused') return 'Somebody paused it';
  if (state === 'stopped')
    return stoppedBecause === 'gone' ? 'Its receiver is gone' : 'It has failed for three days';
  if (state !== 'failing') return null;
  return (
    <>
      {counted(failures, 'attempt')} failed in a row
      {failingSince && (
        <>
          , first <Ago at={failingSince} />
        </>
      )}
    </>
  );
}
