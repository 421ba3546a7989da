import type { ReactNode } from 'react';
import styles from '../parts.module.css';

type Tone = 'good' | 'warn' | 'bad' | 'critical' | 'firing' | 'info' | 'plain';

/** A short label on a background in the color of its meaning. */
export const Badge = ({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) => (
  <span className={styles.badge} data-tone={tone}>
    {children}
  </span>
);

const TONES = new Map<string, Tone>(
  Object.entries({
    complete: 'good',
    completed: 'good',
    normalized: 'good',
    resolved: 'good',
    up: 'good',
    active: 'good',
    delivered: 'good',
    sent: 'good',
    stopped: 'bad',
    dead: 'bad',
    expired: 'bad',
    waiting: 'info',
    late: 'bad',
    failing: 'bad',
    overrun: 'bad',
    ping: 'info',
    internal: 'info',
    test: 'info',
    firing: 'firing',
    incomplete: 'warn',
    completed_with_errors: 'warn',
    defaulted: 'warn',
    canceled: 'plain',
    queued: 'plain',
    running: 'info',
    failed: 'bad',
    rejected: 'bad',
    missing: 'bad',
    critical: 'critical',
    error: 'bad',
    warning: 'warn',
    info: 'info',
  }),
);

/** A badge for a state or severity. */
export const StateBadge = ({ state }: { state: string }) => (
  <Badge tone={TONES.get(state.toLowerCase()) ?? 'plain'}>{state.replaceAll('_', ' ')}</Badge>
);
