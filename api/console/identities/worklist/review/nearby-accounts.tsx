import { TextInput } from '@mantine/core';
import { useDeferredValue, useState } from 'react';
import { wholeNumber } from '../../../text/quantities.ts';
import type { WorklistRow } from '../parse-worklist.ts';
import { describeState } from './account-state.ts';
import type { DecisionQueue } from './decision-queue.ts';
import styles from './review.module.css';
import type { Review } from './use-review.ts';

/** Accounts in the list, and how many of them come before the current one. */
const SHOWN = 12;
const BEFORE = 3;

interface NearbyProps {
  rows: readonly WorklistRow[];
  review: Review;
  queue: DecisionQueue;
}

/** The accounts around the one that is reviewed, or those that a search finds. A list of any length has a few rows in the page. */
export function NearbyAccounts({ rows, review, queue }: NearbyProps) {
  const [search, setSearch] = useState('');
  const wanted = useDeferredValue(search.trim().toLowerCase());
  const found = wanted === '' ? nearby(rows, review.index) : matching(rows, wanted);
  return (
    <nav className={styles.nearby} aria-label="Accounts">
      <TextInput
        type="search"
        label="Find an account"
        value={search}
        onChange={({ currentTarget }) => setSearch(currentTarget.value)}
      />
      <ol className={styles.list}>
        {found.map((index) => {
          const row = rows[index];
          if (!row) return null;
          const decided = describeState(row, queue.stateOf(row.identity));
          return (
            <li key={row.identity}>
              <button
                type="button"
                className={styles.near}
                aria-current={index === review.index ? 'true' : undefined}
                onClick={() => review.goTo(index)}
              >
                <span className={styles.number}>{wholeNumber(index + 1)}</span>
                <span className={styles.name}>
                  <bdi>{row.identity}</bdi>
                </span>
                <span className={styles.word}>{decided.split(' ', 1)[0]}</span>
              </button>
            </li>
          );
        })}
      </ol>
      {found.length === 0 && <p className={styles.none}>No account matches.</p>}
    </nav>
  );
}

function nearby(rows: readonly WorklistRow[], index: number): number[] {
  const first = Math.max(0, Math.min(index - BEFORE, rows.length - SHOWN));
  return Array.from({ length: Math.min(SHOWN, rows.length) }, (_, at) => first + at);
}

/** Returns the first accounts whose name or display name contains the text. */
function matching(rows: readonly WorklistRow[], text: string): number[] {
  const found: number[] = [];
  for (const [index, { identity, displayName }] of rows.entries()) {
    if (!identity.toLowerCase().includes(text) && !displayName.toLowerCase().includes(text)) continue;
    if (found.push(index) === SHOWN) break;
  }
  return found;
}
