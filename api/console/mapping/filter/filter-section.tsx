import { lazyPart } from '../../parts/feedback/lazy-part.tsx';
import fields from '../fields/fields.module.css';
import shared from '../mapping.module.css';
import { placesOf } from '../model/error-places.ts';
import { useEditorContext } from '../state/editor-context.tsx';
import { DroppedEvents } from './dropped-events.tsx';
import styles from './filter.module.css';
import { SampleDecision } from './sample-decision.tsx';

/** Loaded separately, like the template editor. */
const ExpressionEditor = lazyPart(() => import('../expression-editor/expression-editor.tsx'));

/** The filter of the mapping, what it does with the sample, and what it would do with the newest events. */
export function FilterSection() {
  const { draft, dispatch, mayWrite, nodes, fieldErrors, selection } = useEditorContext();
  const errors = fieldErrors.get('filter') ?? [];
  if (!mayWrite && draft.filter === '') return null;
  return (
    <section
      className={`${shared.card} ${styles.filter}`}
      aria-labelledby="filter"
      inert={selection.selected !== null}
    >
      <div>
        <h2 id="filter" className={shared.cardTitle}>
          Filter
        </h2>
        <p className={styles.kind}>Optional, CEL</p>
      </div>
      <div className={styles.body}>
        <ExpressionEditor
          placeholder={<div className={fields.waiting}>{draft.filter}</div>}
          label="Filter expression"
          value={draft.filter}
          onChange={(filter) => dispatch({ type: 'filter', filter })}
          readOnly={!mayWrite}
          nodes={nodes}
          errors={placesOf(errors)}
        />
        <p className={styles.about}>
          Such as <code>webhook.severity != "info"</code>. If false, no alert is created.
        </p>
        {errors.map(({ message }) => (
          <p key={message} className={styles.error} role="status">
            {message}
          </p>
        ))}
        {draft.filter.trim() !== '' && errors.length === 0 && (
          <>
            <SampleDecision />
            <DroppedEvents />
          </>
        )}
      </div>
    </section>
  );
}
