import { counted } from '../../text/quantities.ts';
import { useEditorContext } from '../state/editor-context.tsx';
import styles from './filter.module.css';
import { ValuesRead } from './values-read.tsx';

/** What the filter would drop of the newest stored events, and why. */
export function DroppedEvents() {
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
