import { fullTime } from '../../text/times.ts';
import { Ago } from './ago.tsx';

/** A full time in the user's time zone, with the relative time. */
export const Time = ({ at }: { at: string }) => (
  <>
    {fullTime(at)} (<Ago at={at} />)
  </>
);
