import { Button, Paper, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { RequestFailure } from '../../http/request-failure.ts';
import { Ago } from '../values/ago.tsx';
import { Message } from '../values/message.tsx';
import styles from './live-list.module.css';

interface StaleNoticeProps {
  /** What is shown, such as "alerts". */
  what: string;
  /** When it was last updated, in milliseconds since 1970. */
  updatedAt: number;
  /** How often it is updated, in milliseconds. */
  everyMs: number;
  /** Why the last update failed; null if it did not. */
  error: unknown;
  retry: () => unknown;
}

/** Missed updates after which data counts as old. */
const MISSED = 3;
/** Data is not old before this time, in milliseconds. */
const OLD_MS = 12_000;

/** Says how old data is that could not be updated, and why. It lies above the page, so that nothing moves. */
export function StaleNotice({ what, updatedAt, everyMs, error, retry }: StaleNoticeProps) {
  const isOld = useIsOld(updatedAt, everyMs);
  if (!error && !isOld) return null;
  const reason = error instanceof RequestFailure ? error.message : 'Muster does not respond.';
  return (
    <Paper withBorder shadow="md" radius="xl" className={styles.stale}>
      <Text size="sm">
        These {what} are from <Ago at={new Date(updatedAt).toISOString()} />.
      </Text>
      <Text size="sm" role="alert">
        <Message text={reason} />
      </Text>
      <Button size="compact-sm" variant="default" onClick={() => retry()}>
        Try again
      </Button>
    </Paper>
  );
}

/**
 * Returns whether data that is updated every `everyMs` milliseconds is old, also while an update hangs. A hidden window updates
 * nothing, so data is not old until it is visible again and has had the time to update.
 */
export function useIsOld(updatedAt: number, everyMs: number): boolean {
  const time = Math.max(updatedAt, useVisibleSince()) + Math.max(MISSED * everyMs, OLD_MS);
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    if (time === Number.POSITIVE_INFINITY) return;
    const timer = setTimeout(() => setNow(Date.now()), Math.max(0, time - Date.now()) + 1);
    return () => clearTimeout(timer);
  }, [time]);
  return now > time;
}

/** Returns when the window became visible, in milliseconds since 1970: 0 if it was from the start, `Infinity` while it is hidden. */
function useVisibleSince(): number {
  const [since, setSince] = useState(document.hidden ? Number.POSITIVE_INFINITY : 0);
  useEffect(() => {
    const onChange = () => setSince(document.hidden ? Number.POSITIVE_INFINITY : Date.now());
    document.addEventListener('visibilitychange', onChange);
    return () => document.removeEventListener('visibilitychange', onChange);
  }, []);
  return since;
}
