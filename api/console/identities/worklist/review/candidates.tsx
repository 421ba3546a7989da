import { Text } from '@mantine/core';
import { precisionText } from './precision-text.ts';
import styles from './review.module.css';
import { LETTERS } from './review-keys.ts';
import { usePrecision } from './use-precision.ts';
import type { Review } from './use-review.ts';

/** The candidates of an account as choices, each with its reason and how often that reason was right. */
export function Candidates({ review, integrationId }: { review: Review; integrationId: number }) {
  const precision = usePrecision(integrationId);
  const { row, state, candidate, choose } = review;
  return (
    <fieldset className={styles.candidates}>
      <legend className={styles.legend}>Candidates</legend>
      {row.candidates.map(({ email, score, reason }, place) => {
        const isRejected = state.rejected.includes(email);
        return (
          <label key={email} className={styles.candidate} data-chosen={candidate === email || undefined}>
            <input
              type="radio"
              name="candidate"
              checked={candidate === email}
              onChange={() => choose(email)}
            />
            <span className={styles.about}>
              <span className={styles.email}>
                {isRejected ? <del>{<bdi>{email}</bdi>}</del> : <bdi>{email}</bdi>}
                {isRejected && ' – not this person'}
                {state.email === email && ' – owner'}
              </span>
              <span className={styles.reason}>
                {score}: {reason}
              </span>
              <span className={styles.right}>{precisionText(reason, precision)}</span>
            </span>
            <kbd className={styles.key}>{LETTERS[place]}</kbd>
          </label>
        );
      })}
      {row.candidates.length === 0 && <Text size="sm">There are none. Enter the owner if you know one.</Text>}
    </fieldset>
  );
}
