import { lazyPart } from '../../parts/feedback/lazy-part.tsx';
import { counted } from '../../text/quantities.ts';
import fields from '../fields/fields.module.css';
import shared from '../mapping.module.css';
import { placesOf } from '../model/errors-by-field.ts';
import { useEditorContext } from '../state/editor-context.tsx';
import styles from './filter.module.css';

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

/** What the filter would drop of the newest stored events, and why. */
function DroppedEvents() {
  const { lastEvents } = useEditorContext();
  const statistics = lastEvents.preview?.statistics;
  const filter = statistics?.filter;
  if (!statistics || !filter || statistics.events === 0) return null;
  const items = filter.items > 0 ? ` and ${counted(filter.items, 'item')}` : '';
  return (
    <div aria-busy={lastEvents.isLoading}>
      <p
        className={styles.result}
        data-tone={filter.events === statistics.events ? 'warn' : 'good'}
        data-testid="dropped events"
      >
        Would drop {filter.events}
        {items} of the last {counted(statistics.events, 'event')}.
      </p>
      {filter.clauses.length + filter.undecided.length > 0 && (
        <ul className={styles.clauses} aria-label="Reasons">
          {filter.clauses.map(({ clause, count, values }) => (
            <li key={clause}>
              {counted(count, 'event')}: <code>{clause}</code> is false, for example{' '}
              <ValuesRead values={values} />
            </li>
          ))}
          {filter.undecided.map(({ message, count }) => (
            <li key={message}>
              {counted(count, 'event')} kept: {message}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** What the filter does with the sample payload. */
function SampleDecision() {
  const { preview } = useEditorContext();
  const event = preview.preview?.events[0];
  if (!event) return null;
  const undecided = event.warnings.filter(({ code }) => code.startsWith('filter_'));
  const { filter } = event;
  return (
    <>
      {filter && (
        <p className={styles.result} data-tone="warn" data-testid="sample decision">
          {event.eventState === 'filtered'
            ? 'This payload is filtered: '
            : `${counted(filter.filteredItems, 'item')} of this payload filtered: `}
          <code>{filter.clause}</code> is false
          {filter.item !== null && ` for item ${filter.item + 1}`}
          {filter.values.length > 0 && (
            <>
              , <ValuesRead values={filter.values} />
            </>
          )}
          .
        </p>
      )}
      {!filter && undecided.length === 0 && (
        <p className={styles.result} data-tone="good" data-testid="sample decision">
          This payload is kept.
        </p>
      )}
      {undecided.map(({ message }) => (
        <p key={message} className={styles.result} data-tone="warn">
          {message}
        </p>
      ))}
    </>
  );
}

interface ValuesReadProps {
  values: readonly { path: string; value: string | null }[];
}

/** The values that a clause read: `webhook.severity is info`. */
const ValuesRead = ({ values }: ValuesReadProps) =>
  values.map(({ path, value }, place) => (
    <span key={path}>
      {place > 0 && ', '}
      <code>{path}</code> is {value === null ? 'missing' : <b>{value}</b>}
    </span>
  ));
