import type { ReactNode } from 'react';
import styles from '../parts.module.css';

type Tone = 'good' | 'warn' | 'bad' | 'accent' | 'plain';

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
    firing: 'bad',
    incomplete: 'warn',
    completed_with_errors: 'warn',
    defaulted: 'warn',
    canceled: 'plain',
    queued: 'plain',
    running: 'accent',
    failed: 'bad',
    rejected: 'bad',
    missing: 'bad',
    critical: 'bad',
    error: 'bad',
    warning: 'warn',
    info: 'accent',
  }),
);

/** A badge for a state or severity. */
export const StateBadge = ({ state }: { state: string }) => (
  <Badge tone={TONES.get(state.toLowerCase()) ?? 'plain'}>{state.replaceAll('_', ' ')}</Badge>
);
