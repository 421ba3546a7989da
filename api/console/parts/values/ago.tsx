import { useEffect, useState } from 'react';
import { distance, fullTime } from '../../text/times.ts';

/** How long ago something was, kept current; the exact time is its title. */
export function Ago({ at }: { at: string }) {
  useTick(5_000);
  return (
    <time dateTime={at} title={fullTime(at)}>
      {distance((Date.parse(at) - Date.now()) / 1_000)}
    </time>
  );
}

function useTick(everyMs: number): void {
  const [, setTick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setTick((tick) => tick + 1), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
}
