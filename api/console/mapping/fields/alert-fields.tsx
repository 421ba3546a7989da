import { Checkbox } from '@mantine/core';
import { Message, toInputError } from '../../parts/values/message.tsx';
import { WholeNumberInput } from '../../parts/whole-number-input.tsx';
import { moveAmongPlaces } from '../insert/insert-button.tsx';
import shared from '../mapping.module.css';
import { ALERT_FIELD_NAMES, LIFECYCLE_FIELD_NAMES, LIFECYCLE_FIELDS } from '../model/draft/alert-fields.ts';
import { useEditorContext } from '../state/editor-context.tsx';
import { AddCustom } from './add-custom.tsx';
import { FieldRow } from './field-row.tsx';
import styles from './fields.module.css';
import { MappingWarnings } from './mapping-warnings.tsx';

/** The alert's fields, each with its template and its result. */
export function AlertFields() {
  const { draft, mayWrite, fieldErrors } = useEditorContext();
  const general = ['', 'expandJson', 'fields', 'custom'].flatMap((place) => fieldErrors.get(place) ?? []);
  return (
    <section className={shared.card} aria-labelledby="alert-fields" onKeyDown={moveAmongPlaces}>
      <div className={shared.cardHead}>
        <h2 id="alert-fields" className={shared.cardTitle}>
          Alert fields
        </h2>
        <span className={shared.note}>
          <span className={styles.required}>*</span> required
        </span>
      </div>
      {general.map(({ message }) => (
        <p key={message} className={styles.error}>
          <Message text={message} />
        </p>
      ))}
      {ALERT_FIELD_NAMES.map((name) => (
        <FieldRow key={name} target={`fields.${name}`} />
      ))}
      <h3 className={styles.group}>Lifecycle</h3>
      {LIFECYCLE_FIELD_NAMES.map((name) => (
        <FieldRow key={name} target={`fields.${name}`} about={LIFECYCLE_FIELDS[name].about} />
      ))}
      <FinalKeys />
      <KeptTexts />
      <RepeatWindow />
      <h3 className={styles.group}>Custom fields</h3>
      {draft.custom.map(({ name }) => (
        <FieldRow key={`custom.${name}`} target={`custom.${name}`} />
      ))}
      {mayWrite && <AddCustom />}
    </section>
  );
}

/** Whether a key is one problem for ever. */
function FinalKeys() {
  const { draft, dispatch, mayWrite } = useEditorContext();
  if (!mayWrite && !draft.final) return null;
  return (
    <fieldset className={styles.row} aria-label="Final keys">
      <div className={styles.head}>
        <span className={styles.label}>Final keys</span>
      </div>
      <div className={styles.body}>
        <p className={styles.about}>
          For sources that give each incident a key of its own, which never comes back.
        </p>
        <Checkbox
          label="Once a key is resolved, only the status reopened opens an alert again"
          checked={draft.final}
          disabled={!mayWrite}
          onChange={(event) => dispatch({ type: 'final', final: event.currentTarget.checked })}
        />
        <MappingWarnings place="final" />
      </div>
    </fieldset>
  );
}

/** Whether alerts keep the texts that they were opened with. */
function KeptTexts() {
  const { draft, dispatch, mayWrite } = useEditorContext();
  if (!mayWrite && !draft.keepsTexts) return null;
  return (
    <fieldset className={styles.row} aria-label="Texts of an open alert">
      <div className={styles.head}>
        <span className={styles.label}>Texts of an open alert</span>
      </div>
      <div className={styles.body}>
        <p className={styles.about}>
          For sources that repeat an alert with other words while it is open, and change it on purpose by
          another kind of event.
        </p>
        <Checkbox
          label="Keep the texts of the first event. Only the status update replaces them"
          checked={draft.keepsTexts}
          disabled={!mayWrite}
          onChange={(event) => dispatch({ type: 'keepTexts', keepsTexts: event.currentTarget.checked })}
        />
      </div>
    </fieldset>
  );
}

const MAX_SECONDS = 86_400;

/** For how long identical events without a deduplication key are counted as one alert. */
function RepeatWindow() {
  const { draft, dispatch, mayWrite, fieldErrors } = useEditorContext();
  const { repeatWindowSeconds } = draft;
  if (!mayWrite && repeatWindowSeconds === null) return null;
  const [error] = fieldErrors.get('repeatWindowSeconds') ?? [];
  return (
    <fieldset className={styles.row} aria-label="Identical events">
      <div className={styles.head}>
        <span className={styles.label}>Identical events</span>
      </div>
      <div className={styles.body}>
        <p className={styles.about}>
          Without a deduplication key: count events with exactly the same body as one alert. For senders that
          send an event again after a timeout. Empty: each is an alert of its own.
        </p>
        <WholeNumberInput
          aria-label="Count identical events within so many seconds"
          placeholder="Off"
          prefix="within "
          suffix=" seconds"
          min={1}
          max={MAX_SECONDS}
          value={repeatWindowSeconds ?? ''}
          readOnly={!mayWrite}
          error={toInputError(error?.message)}
          maw="16rem"
          onChange={(seconds) =>
            dispatch({ type: 'repeatWindow', seconds: typeof seconds === 'number' ? seconds : null })
          }
        />
      </div>
    </fieldset>
  );
}
