import { useFullTime } from '../../settings/time-zone.ts';
import { Ago } from './ago.tsx';

/** A full time in the chosen time zone, with the relative time. */
export function Time({ at }: { at: string }) {
  const fullTime = useFullTime();
  return (
    <>
      {fullTime(at)} (<Ago at={at} />)
    </>
  );
}
