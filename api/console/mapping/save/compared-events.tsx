import { describeComparison, sharedChanges } from '../model/comparison-text.ts';
import { labelOf, targetOfResult } from '../model/draft/alert-fields.ts';
import type { PreviewState } from '../state/use-preview.ts';
import styles from './save.module.css';

const SHOWN = 5;

/** Shows how the draft would change the alerts of the newest stored events. */
export function ComparedEvents({ state: { preview, isLoading } }: { state: PreviewState }) {
  const comparison = preview?.comparison ?? [];
  if (comparison.length === 0) return null;
  const changes = sharedChanges(comparison);
  return (
    <section aria-label="Last events" aria-busy={isLoading}>
      <p className={styles.same}>{describeComparison(comparison)}</p>
      {changes.slice(0, SHOWN).map(({ field, before, after, count }) => (
        <div key={`${field}\n${before}\n${after}`} className={styles.part}>
          <span className={styles.partName}>
            {labelOf(targetOfResult(field))} {count > 1 && `×${count}`}
          </span>
          <div className={styles.texts}>
            <del className={styles.before}>{before ?? 'empty'}</del>
            <ins className={styles.after}>{after ?? 'empty'}</ins>
          </div>
        </div>
      ))}
      {changes.length > SHOWN && <p className={styles.same}>and {changes.length - SHOWN} more</p>}
    </section>
  );
}
