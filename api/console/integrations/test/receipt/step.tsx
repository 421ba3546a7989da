import { Loader } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import styles from './receipt.module.css';

interface StepProps {
  title: string;
  state: 'later' | 'now' | 'done' | 'bad';
  isLast?: boolean;
  children?: ReactNode;
}

const LABELS = { later: 'pending', now: 'in progress', done: 'done', bad: 'failed' };

/** One step in the processing of an event, with its state. */
export const Step = ({ title, state, isLast = false, children }: StepProps) => (
  <li className={styles.step} data-state={state} data-last={isLast || undefined}>
    <span className={styles.mark} role="img" aria-label={LABELS[state]}>
      {state === 'done' && <IconCheck size={14} stroke={3} aria-hidden />}
      {state === 'bad' && <IconX size={14} stroke={3} aria-hidden />}
      {state === 'now' && <Loader size={14} aria-hidden />}
    </span>
    <div className={styles.stepBody}>
      <div className={styles.stepTitle}>{title}</div>
      <div className={styles.stepText}>{children}</div>
    </div>
  </li>
);
