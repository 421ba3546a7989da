import { Message } from '../../parts/values/message.tsx';
import { moveAmongPlaces } from '../insert/insert-button.tsx';
import shared from '../mapping.module.css';
import { ALERT_FIELD_NAMES, LIFECYCLE_FIELD_NAMES, LIFECYCLE_FIELDS } from '../model/draft/alert-fields.ts';
import { useEditorContext } from '../state/editor-context.tsx';
import { AddCustom } from './add-custom.tsx';
import { FieldRow } from './field-row.tsx';
import styles from './fields.module.css';
import { FinalKeys } from './final-keys.tsx';
import { RepeatWindow } from './repeat-window.tsx';

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
      <RepeatWindow />
      <h3 className={styles.group}>Custom fields</h3>
      {draft.custom.map(({ name }) => (
        <FieldRow key={`custom.${name}`} target={`custom.${name}`} />
      ))}
      {mayWrite && <AddCustom />}
    </section>
  );
}
