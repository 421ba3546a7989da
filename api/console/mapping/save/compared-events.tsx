import { compareInWords, sharedChanges } from '../model/compare-in-words.ts';
import { labelOf, targetOfResult } from '../model/draft/alert-fields.ts';
import type { PreviewState } from '../previewing/use-preview.ts';
import own from './save.module.css';

const SHOWN = 5;

/** What the newest stored events would have become. */
export function ComparedEvents({ state: { preview, isBehind } }: { state: PreviewState }) {
  const comparison = preview?.comparison ?? [];
  if (comparison.length === 0) return null;
  const changes = sharedChanges(comparison);
  return (
    <section aria-label="The last events" aria-busy={isBehind}>
      <p className={own.same}>{compareInWords(comparison)}</p>
      {changes.slice(0, SHOWN).map(({ field, before, after, count }) => (
        <div key={`${field}\n${before}\n${after}`} className={own.part}>
          <span className={own.partName}>
            {labelOf(targetOfResult(field))} {count > 1 && `×${count}`}
          </span>
          <div className={own.texts}>
            <del className={own.before}>{before ?? 'nothing'}</del>
            <ins className={own.after}>{after ?? 'nothing'}</ins>
          </div>
        </div>
      ))}
      {changes.length > SHOWN && <p className={own.same}>and {changes.length - SHOWN} more</p>}
    </section>
  );
}
