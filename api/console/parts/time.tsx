import { Ago } from './ago.tsx';

/** A time in full, in the zone of the reader, and how long ago it was. */
export const Time = ({ at }: { at: string }) => (
  <>
    {new Date(at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' })} (<Ago at={at} />)
  </>
);
