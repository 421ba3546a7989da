import { Paper } from '@mantine/core';
import { useRef } from 'react';
import type { WorklistRow } from '../parse-worklist.ts';
import { AccountCard } from './account-card.tsx';
import { queueOf } from './decision-queue.ts';
import { NearbyAccounts } from './nearby-accounts.tsx';
import styles from './review.module.css';
import type { ReviewCommand } from './review-keys.ts';
import { ReviewProgress } from './review-progress.tsx';
import { Saving } from './saving.tsx';
import { useReview, useReviewKeys } from './use-review.ts';

/** The account that is reviewed, those around it, and what is decided so far. */
export function Reviewing({ rows, integrationId }: { rows: readonly WorklistRow[]; integrationId: number }) {
  const queue = queueOf(integrationId);
  const review = useReview(rows, queue);
  const other = useRef<HTMLInputElement>(null);
  const { row, candidate, decide } = review;
  useReviewKeys((command: ReviewCommand) => {
    if (command === 'next' || command === 'previous') return review[command]();
    if (command === 'undo') return review.undo?.();
    if (command === 'other') return other.current?.focus();
    if (typeof command === 'object') {
      const chosen = row.candidates[command.candidate];
      return chosen && review.choose(chosen.email);
    }
    if (command !== 'owner' && command !== 'not_this_person') return decide({ decision: command });
    if (candidate === null) return other.current?.focus();
    decide({ decision: command, email: candidate });
  });
  return (
    <div className={styles.page}>
      <div className={styles.progress}>
        <ReviewProgress progress={review.progress} />
        <Saving saving={review.saving} send={() => queue.send()} />
      </div>
      <Paper withBorder className={styles.card} component="section" aria-label="Account">
        <AccountCard review={review} integrationId={integrationId} total={rows.length} other={other} />
      </Paper>
      <NearbyAccounts rows={rows} review={review} queue={queue} />
    </div>
  );
}
