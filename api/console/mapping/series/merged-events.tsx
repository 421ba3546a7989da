import { Link } from 'wouter';
import { Badge } from '../../parts/values/badge.tsx';
import { useFullTime } from '../../settings/time-zone.ts';
import shared from '../mapping.module.css';
import { isMapped } from '../model/draft/draft.ts';
import {
  describeSeries,
  type PreviewedSeries,
  type SeriesPreview,
  type SeriesStep,
  stepsByAlert,
} from '../model/series-steps.ts';
import { useEditorContext } from '../state/editor-context.tsx';
import styles from './series.module.css';

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

/** A series: its key, and a line for each of its alerts: `firing ×3 → resolved`. */
function SeriesRow({ series }: { series: PreviewedSeries }) {
  const { dedupKey, title, items, itemCount } = series;
  const earlier = itemCount - items.length;
  return (
    <li className={styles.row}>
      {dedupKey === null ? (
        <span className={styles.key}>Identical events</span>
      ) : (
        <code className={styles.key} title={dedupKey}>
          {dedupKey}
        </code>
      )}
      {title !== null && <bdi className={styles.title}>{title}</bdi>}
      {earlier > 0 && <span className={styles.title}>{earlier} earlier, not shown</span>}
      <ul className={styles.alerts}>
        {stepsByAlert(items).map((steps) => (
          <li key={`${steps[0]?.newest.eventId}/${steps[0]?.newest.item}`} className={styles.alert}>
            {steps.map((step, place) => (
              <Step
                key={`${step.newest.eventId}/${step.newest.item}`}
                step={step}
                isFirst={place === 0}
                hasKey={dedupKey !== null}
              />
            ))}
          </li>
        ))}
      </ul>
    </li>
  );
}

const KINDS = {
  firing: { text: 'firing', tone: 'bad' },
  update: { text: 'update', tone: 'info' },
  resolved: { text: 'resolved', tone: 'good' },
  nothing_to_resolve: { text: 'resolves nothing', tone: 'plain' },
  nothing_to_update: { text: 'updates nothing', tone: 'plain' },
  outdated: { text: 'outdated', tone: 'plain' },
} as const;

/** Events without a key have no status. */
const REPETITION = { text: 'alert', tone: 'plain' } as const;

interface StepProps {
  step: SeriesStep;
  isFirst: boolean;
  hasKey: boolean;
}

/** One step, with a link to its newest event. */
function Step({ step: { kind, count, newest }, isFirst, hasKey }: StepProps) {
  const fullTime = useFullTime();
  const { text, tone } = hasKey ? KINDS[kind] : REPETITION;
  const badge = (
    <Badge tone={tone}>
      {text}
      {count > 1 && ` ×${count}`}
    </Badge>
  );
  return (
    <>
      {!isFirst && (
        <span className={styles.arrow} role="img" aria-label="then">
          →
        </span>
      )}
      {newest.eventId === null ? (
        badge
      ) : (
        <Link
          href={`/events/${newest.eventId}`}
          className={styles.step}
          title={newest.receivedAt === null ? undefined : `Newest event: ${fullTime(newest.receivedAt)}`}
        >
          {badge}
        </Link>
      )}
    </>
  );
}
