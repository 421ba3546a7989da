import { counted } from '../../text/quantities.ts';
import { useEditorContext } from '../state/editor-context.tsx';
import styles from './filter.module.css';
import { ValuesRead } from './values-read.tsx';

/** What the filter does with the sample payload. */
export function SampleDecision() {
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
