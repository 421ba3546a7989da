import { compareInWords, sharedChanges } from '../model/comparison-text.ts';
import { labelOf, targetOfResult } from '../model/draft/alert-fields.ts';
import type { PreviewState } from '../state/use-preview.ts';
import styles from './save.module.css';

const SHOWN = 5;

/** What the newest stored events would have become. */
export function ComparedEvents({ state: { preview, isBehind } }: { state: PreviewState }) {
  const comparison = preview?.comparison ?? [];
  if (comparison.length === 0) return null;
  const changes = sharedChanges(comparison);
  return (
    <section aria-label="The last events" aria-busy={isBehind}>
      <p className={styles.same}>{compareInWords(comparison)}</p>
      {changes.slice(0, SHOWN).map(({ field, before, after, count }) => (
        <div key={`${field}\n${before}\n${after}`} className={styles.part}>
          <span className={styles.partName}>
            {labelOf(targetOfResult(field))} {count > 1 && `×${count}`}
          </span>
          <div className={styles.texts}>
            <del className={styles.before}>{before ?? 'nothing'}</del>
            <ins className={styles.after}>{after ?? 'nothing'}</ins>
          </div>
        </div>
      ))}
      {changes.length > SHOWN && <p className={styles.same}>and {changes.length - SHOWN} more</p>}
    </section>
  );
}
