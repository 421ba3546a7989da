import { UnstyledButton } from '@mantine/core';
import type { Preview } from '../../http/types.ts';
import { Failure } from '../../parts/feedback/failure.tsx';
import { counted } from '../../text/quantities.ts';
import shared from '../mapping.module.css';
import { isRequired, labelOf, type Target, targetOfResult } from '../model/draft/alert-fields.ts';
import { type Draft, fieldAt } from '../model/draft/draft.ts';
import { useEditorContext } from '../state/editor-context.tsx';
import { LAST_EVENTS } from '../state/use-preview.ts';
import { FillRate } from './fill-rate.tsx';
import styles from './preview-panel.module.css';

type Statistics = NonNullable<Preview['statistics']>;

/** How well the mapping fits what has come lately. */
export function LastEvents() {
  const { lastEvents, mayWrite } = useEditorContext();
  if (!mayWrite) return null;
  const { statistics, truncated } = lastEvents.preview ?? {};
  const failed = lastEvents.error !== null && lastEvents.mappingErrors.length === 0;
  return (
    <section className={shared.card} aria-labelledby="last-events" aria-busy={lastEvents.isBehind}>
      <div className={shared.cardHead}>
        <h2 id="last-events" className={shared.cardTitle}>
          {statistics?.events === 1
            ? 'Over the last event'
            : `Over the last ${statistics?.events || LAST_EVENTS} events`}
        </h2>
      </div>
      {failed && (
        <Failure
          error={lastEvents.error}
          title="The stored events could not be looked at"
          retry={lastEvents.again}
        />
      )}
      {!statistics && !failed && <p className={shared.note}>Looking at the newest events…</p>}
      {statistics?.events === 0 && (
        <p className={shared.note}>No event is stored yet. When some have come, they are shown here.</p>
      )}
      {statistics && statistics.events > 0 && <Told statistics={statistics} />}
      {truncated && statistics && statistics.events > 0 && (
        <p className={shared.note}>They make more alerts than are shown.</p>
      )}
    </section>
  );
}

function Told({ statistics }: { statistics: Statistics }) {
  const { complete, alerts, failed, fields } = statistics;
  const { draft } = useEditorContext();
  // Those that nobody wants to fill say nothing.
  const drawn = Object.entries(fields).filter(([name]) => isWanted(draft, targetOfResult(name)));
  return (
    <>
      <p className={shared.note}>
        {complete} of {counted(alerts, 'alert')} complete
        {failed > 0 && `, ${counted(failed, 'event')} failed`}
      </p>
      <dl className={styles.rates}>
        {drawn.map(([name, told]) => (
          <FillRate key={name} name={labelOf(targetOfResult(name))} told={told} />
        ))}
      </dl>
      <Unmapped statistics={statistics} />
      <Vanished statistics={statistics} />
    </>
  );
}

function isWanted(draft: Draft, target: Target): boolean {
  const field = fieldAt(draft, target);
  return isRequired(target) || field.template !== '' || field.default !== '';
}

function Unmapped({ statistics }: { statistics: Statistics }) {
  const { editValues } = useEditorContext();
  return Object.entries(statistics.fields).flatMap(([name, { unmapped }]) =>
    unmapped.slice(0, 5).map(({ value, count }) => (
      <p key={`${name}\n${value}`} className={styles.warning}>
        <b>{value}</b> ×{count} is not in the value map of {labelOf(targetOfResult(name))}.{' '}
        <UnstyledButton className={styles.remedy} onClick={() => editValues(targetOfResult(name), value)}>
          Map it
        </UnstyledButton>
      </p>
    )),
  );
}

const Vanished = ({ statistics }: { statistics: Statistics }) =>
  statistics.vanished.map(({ field, path, missingSince }) => (
    <p key={`${field}\n${path}`} className={styles.warning}>
      <code>{path}</code> of {labelOf(targetOfResult(field))} has vanished: the newest{' '}
      {missingSince === 1 ? 'event has' : `${missingSince} events have`} it no more.
    </p>
  ));
