import { UnstyledButton } from '@mantine/core';
import type { Preview } from '../../http/types.ts';
import { Failure } from '../../parts/feedback/failure.tsx';
import { counted } from '../../text/quantities.ts';
import shared from '../mapping.module.css';
import { labelOf, targetOfResult } from '../model/draft/alert-fields.ts';
import { type Draft, isMapped } from '../model/draft/draft.ts';
import { useEditorContext } from '../state/editor-context.tsx';
import { LAST_EVENTS } from '../state/use-preview.ts';
import { useUnknownSeverities } from '../state/use-unknown-severities.ts';
import styles from './preview-panel.module.css';

type Statistics = NonNullable<Preview['statistics']>;

/** Shows how well the mapping works for the newest events. */
export function LastEvents() {
  const { lastEvents, mayWrite, mayReadEvents } = useEditorContext();
  if (!mayWrite) return null;
  const { statistics, truncated } = lastEvents.preview ?? {};
  const failed = lastEvents.error !== null;
  return (
    <section
      className={shared.card}
      aria-labelledby="last-events"
      aria-busy={mayReadEvents && lastEvents.isLoading}
    >
      <div className={shared.cardHead}>
        <h2 id="last-events" className={shared.cardTitle}>
          {statistics?.events === 1 ? 'Last event' : `Last ${statistics?.events || LAST_EVENTS} events`}
        </h2>
      </div>
      {failed && (
        <Failure error={lastEvents.error} title="Could not load the last events" retry={lastEvents.reload} />
      )}
      {!mayReadEvents && (
        <p className={shared.note}>Previews of stored events need a key with the scope alerts:read.</p>
      )}
      {mayReadEvents && !statistics && !failed && <p className={shared.note}>Loading the last events…</p>}
      {statistics?.events === 0 && (
        <p className={shared.note}>No events yet. Results for stored events appear here.</p>
      )}
      {statistics && statistics.events > 0 && <Summary statistics={statistics} />}
      {truncated && statistics && statistics.events > 0 && (
        <p className={shared.note}>These events create more alerts than are counted here.</p>
      )}
    </section>
  );
}

function Summary({ statistics }: { statistics: Statistics }) {
  const { complete, alerts, failed, fields } = statistics;
  const { draft } = useEditorContext();
  // Optional fields without a template and default are left out.
  const mapped = Object.entries(fields).filter(([name]) => isMapped(draft, targetOfResult(name)));
  return (
    <>
      <p className={shared.note}>
        {complete} of {counted(alerts, 'alert')} complete
        {failed > 0 && `, ${counted(failed, 'event')} failed`}
      </p>
      <dl className={styles.rates}>
        {mapped.map(([name, field]) => (
          <FillRate key={name} name={labelOf(targetOfResult(name))} statistics={field} />
        ))}
      </dl>
      <Unmapped statistics={statistics} />
      <UnknownSeverities />
      <Vanished statistics={statistics} />
    </>
  );
}

function Unmapped({ statistics }: { statistics: Statistics }) {
  const { draft, editValues } = useEditorContext();
  // Severities without a value map are offered together, see below.
  const fields = Object.entries(statistics.fields).filter(
    ([name]) => name !== 'severity' || hasSeverityMap(draft),
  );
  return fields.flatMap(([name, { unmapped }]) =>
    unmapped.slice(0, 5).map(({ value, count }) => (
      <p key={`${name}\n${value}`} className={styles.warning}>
        <b>{value}</b> ×{count}{' '}
        {name === 'status'
          ? 'is not a known status word, so it counts as firing.'
          : `is not in the value map of ${labelOf(targetOfResult(name))}.`}{' '}
        <UnstyledButton className={styles.remedy} onClick={() => editValues(targetOfResult(name), [value])}>
          Map value
        </UnstyledButton>
      </p>
    )),
  );
}

const hasSeverityMap = ({ fields }: Draft): boolean => Object.keys(fields.severity.values).length > 0;

/** Offers to map the severities that Muster does not know, unless a value map exists, which reports them itself. */
function UnknownSeverities() {
  const { draft, editValues } = useEditorContext();
  const unknown = useUnknownSeverities();
  if (unknown.length === 0 || hasSeverityMap(draft)) return null;
  const words = unknown.map(({ severity }) => severity);
  return (
    <p className={styles.warning}>
      <b>{words.slice(0, SHOWN_WORDS).join(', ')}</b>
      {words.length > SHOWN_WORDS && ` and ${words.length - SHOWN_WORDS} more`}{' '}
      {words.length === 1 ? 'is an unknown severity' : 'are unknown severities'}: such alerts have no color,
      and a filter by “critical” does not find them. Map them, or rank them in the value map.{' '}
      <UnstyledButton className={styles.remedy} onClick={() => editValues('fields.severity', words)}>
        Map {words.length === 1 ? 'this value' : `these ${words.length} values`}
      </UnstyledButton>
    </p>
  );
}

const SHOWN_WORDS = 5;

const Vanished = ({ statistics }: { statistics: Statistics }) =>
  statistics.vanished.map(({ field, path, missingSince }) => (
    <p key={`${field}\n${path}`} className={styles.warning}>
      <code>{path}</code> in {field === 'filter' ? 'the filter' : labelOf(targetOfResult(field))} is missing
      from the newest {missingSince === 1 ? 'event' : `${missingSince} events`}. Earlier events had it.
    </p>
  ));

interface FillRateProps {
  name: string;
  statistics: { resolved: number; defaulted: number; missing: number; fillRate: number };
}

/** The share of alerts in which the payload filled the field, as a bar and a number. */
function FillRate({ name, statistics: { resolved, defaulted, missing, fillRate } }: FillRateProps) {
  const tone = fillRate === 1 ? 'good' : fillRate > 0 ? 'warn' : 'bad';
  const title = `${resolved} from the payload, ${defaulted} from the default, ${missing} missing`;
  return (
    <>
      <dt>{name}</dt>
      <dd title={title}>
        <span className={styles.bar} aria-hidden="true">
          <span data-tone={tone} style={{ width: `${fillRate * 100}%` }} />
        </span>
        <span className={styles.percent}>{Math.floor(fillRate * 100)}%</span>
      </dd>
    </>
  );
}
