import { useEffect, useState } from 'react';

const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
];
const format = new Intl.RelativeTimeFormat('en', { numeric: 'always', style: 'short' });

/** How long ago something was, kept current; the exact time is its title. */
export function Ago({ at }: { at: string }) {
  useTick(5_000);
  return (
    <time dateTime={at} title={new Date(at).toLocaleString()}>
      {distance((Date.parse(at) - Date.now()) / 1_000)}
    </time>
  );
}

/** Seconds from now in words: negative ones are in the past. */
export function distance(seconds: number): string {
  const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1];
  return Math.abs(seconds) < 1 ? 'now' : format.format(Math.round(seconds / size), unit);
}

function useTick(everyMs: number): void {
  const [, setTick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setTick((tick) => tick + 1), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
}
