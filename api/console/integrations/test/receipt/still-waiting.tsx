import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import { RequestFailure } from '../../../http/request-failure.ts';
import { Failure } from '../../../parts/feedback/failure.tsx';

/** A single event is normally stored within a fraction of a second. In seconds. */
const LONG_WAIT_S = 10;

/** The text that is shown until an event is stored. */
export function StillWaiting({ waitedS, error }: { waitedS: number; error: unknown }) {
  if (error && !isTransient(error)) return <Failure error={error} title="Could not load the receipt" />;
  if (waitedS < LONG_WAIT_S) return 'Waiting for a worker…';
  return (
    <>
      Not stored after {waitedS} s. The event is safe in the queue. Check that a worker is running and that
      the database is available.{' '}
      <Anchor component={Link} href="/health" size="sm" underline="always">
        Open Health
      </Anchor>
    </>
  );
}

/** Returns whether the event is not stored yet (404), or the API is unavailable for a moment. */
const isTransient = (error: unknown): boolean =>
  error instanceof RequestFailure && (error.status === 404 || error.isTemporary);
