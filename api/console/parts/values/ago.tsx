import { useEffect, useState } from 'react';
import { relativeTime, utcTime } from '../../text/times.ts';

/** A relative time, such as "4 s ago", that updates itself. Its tooltip is the exact UTC time. */
export function Ago({ at }: { at: string }) {
  useTick(5_000);
  return (
    <time dateTime={at} title={utcTime(at)}>
      {relativeTime((Date.parse(at) - Date.now()) / 1_000)}
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
