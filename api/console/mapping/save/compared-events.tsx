import type { Preview } from '../../http/types.ts';
import { labelOf, targetOfResult } from '../model/alert-fields.ts';
import { compareInWords } from '../model/compare-in-words.ts';
import type { PreviewState } from '../previewing/use-preview.ts';
import own from './save.module.css';

type Compared = NonNullable<Preview['comparison']>[number];

const SHOWN = 5;

/** What the newest stored events would have become. */
export function ComparedEvents({ state: { preview, isBehind } }: { state: PreviewState }) {
  const comparison = preview?.comparison ?? [];
  if (comparison.length === 0) return null;
  const differing = comparison.flatMap((event) => differences(event));
  return (
    <section aria-label="The last events" aria-busy={isBehind}>
      <p className={own.same}>{compareInWords(comparison)}</p>
      {differing.slice(0, SHOWN).map(({ key, label, before, after }) => (
        <div key={key} className={own.part}>
          <span className={own.partName}>{label}</span>
          <div className={own.texts}>
            <del className={own.before}>{before ?? 'nothing'}</del>
            <ins className={own.after}>{after ?? 'nothing'}</ins>
          </div>
        </div>
      ))}
      {differing.length > SHOWN && <p className={own.same}>and {differing.length - SHOWN} more</p>}
    </section>
  );
}

const differences = ({ eventId, alerts }: Compared) =>
  alerts.flatMap(({ item, changes }) =>
    changes.map(({ field, before, after }) => ({
      key: `${eventId} ${item} ${field}`,
      label: labelOf(targetOfResult(field)),
      before,
      after,
    })),
  );
