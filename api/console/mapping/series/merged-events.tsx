import shared from '../mapping.module.css';
import { isMapped } from '../model/draft/draft.ts';
import { describeSeries, type SeriesPreview } from '../model/series-steps.ts';
import { useEditorContext } from '../state/editor-context.tsx';
import styles from './series.module.css';
import { SeriesRow } from './series-row.tsx';

/** Series that are shown. */
const SHOWN = 8;

/** Shows which of the newest events become one alert, and which events resolve it. */
export function MergedEvents() {
  const { lastEvents, mayWrite, mayReadEvents } = useEditorContext();
  const { preview } = lastEvents;
  if (!mayWrite || !mayReadEvents || !preview || preview.events.length === 0) return null;
  return (
    <section className={shared.card} aria-labelledby="merged-events" aria-busy={lastEvents.isLoading}>
      <div className={shared.cardHead}>
        <h2 id="merged-events" className={shared.cardTitle}>
          Alerts from these events
        </h2>
      </div>
      {preview.series ? (
        <Series preview={preview.series} events={preview.events.length} />
      ) : (
        <p className={shared.note}>
          Each event becomes an alert of its own. Fill the deduplication key to merge events about the same
          problem.
        </p>
      )}
    </section>
  );
}

function Series({ preview, events }: { preview: SeriesPreview; events: number }) {
  const { draft } = useEditorContext();
  const { summary, details } = describeSeries(preview, events);
  const hidden = preview.seriesCount - SHOWN;
  return (
    <>
      <p className={styles.summary}>{summary}</p>
      <ul className={styles.details}>
        {details.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
      {isMapped(draft, 'fields.dedupKey') && !isMapped(draft, 'fields.status') && (
        <p className={styles.warning}>These alerts never resolve, because the status is empty.</p>
      )}
      <ol className={styles.rows} aria-label="Series">
        {preview.series.slice(0, SHOWN).map((series) => (
          <SeriesRow key={series.dedupKey ?? series.items[0]?.eventId} series={series} />
        ))}
      </ol>
      {hidden > 0 && <p className={shared.note}>and {hidden} more</p>}
    </>
  );
}
