import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import { RequestFailure } from '../../../http/request-failure.ts';
import { Failure } from '../../../parts/feedback/failure.tsx';

/** An event alone is stored within a fraction of a second. */
const LONG_S = 10;

/** What to say while an event is on its way. */
export function StillWaiting({ waitedS, error }: { waitedS: number; error: unknown }) {
  if (error && !isPatient(error)) return <Failure error={error} title="The receipt could not be read" />;
  if (waitedS < LONG_S) return 'Waiting for a worker…';
  return (
    <>
      Nobody has stored it for {waitedS} s. It is safe in the queue. Is a worker running, and is the database
      there?{' '}
      <Anchor component={Link} href="/health" size="sm" underline="always">
        Look at Health
      </Anchor>
    </>
  );
}

/** Not stored yet, or not to be read at the moment. */
const isPatient = (error: unknown): boolean =>
  error instanceof RequestFailure && (error.status === 404 || error.isTemporary);
