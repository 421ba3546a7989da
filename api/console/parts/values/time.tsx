import { fullTime } from '../../text/times.ts';
import { Ago } from './ago.tsx';

/** A time in full, in the zone of the reader, and how long ago it was. */
export const Time = ({ at }: { at: string }) => (
  <>
    {fullTime(at)} (<Ago at={at} />)
  </>
);
