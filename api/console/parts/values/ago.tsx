import { useSyncExternalStore } from 'react';
import { duration } from '../../text/quantities.ts';
import { relativeTime, utcTime } from '../../text/times.ts';

/** A relative time, such as "4 s ago", that updates itself. Its tooltip is the exact UTC time. */
export function Ago({ at }: { at: string }) {
  useTick();
  return (
    <time dateTime={at} title={utcTime(at)}>
      {relativeTime((Date.parse(at) - Date.now()) / 1_000)}
    </time>
  );
}

/** How long something lasts since a time, such as "4 min 2 s". It updates itself. */
export function LastingSince({ at }: { at: string }) {
  useTick();
  return duration((Date.now() - Date.parse(at)) / 1_000);
}

function useTick(): void {
  useSyncExternalStore(onTick, currentTick);
}

const EVERY_MS = 5_000;
const listeners = new Set<() => void>();
let tick = 0;
let timer = 0;

const currentTick = (): number => tick;

/** All times of a page share one timer: a list has a hundred of them. */
function onTick(listener: () => void): () => void {
  listeners.add(listener);
  if (listeners.size === 1) timer = window.setInterval(next, EVERY_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) clearInterval(timer);
  };
}

function next(): void {
  tick++;
  for (const listener of listeners) listener();
}
