import { useEditorContext } from '../editor-context.tsx';
import styles from '../mapping.module.css';
import { ALERT_FIELD_NAMES } from '../model/draft/alert-fields.ts';
import { AddCustom } from './add-custom.tsx';
import { FieldRow } from './field-row.tsx';
import own from './fields.module.css';
import { moveAmongPlaces } from './insert-button.tsx';

/** The alert's fields, each with its template and what comes of it. */
export function AlertFields() {
  const { draft, mayWrite, faults } = useEditorContext();
  const general = ['', 'expandJson', 'fields', 'custom'].flatMap((place) => faults.get(place) ?? []);
  return (
    <section className={styles.card} aria-labelledby="alert-fields" onKeyDown={moveAmongPlaces}>
      <div className={styles.cardHead}>
        <h2 id="alert-fields" className={styles.cardTitle}>
          Alert fields
        </h2>
        <span className={styles.note}>
          <span className={own.required}>*</span> required
        </span>
      </div>
      {general.map(({ message }) => (
        <p key={message} className={own.fault}>
          {message}
        </p>
      ))}
      {ALERT_FIELD_NAMES.map((name) => (
        <FieldRow key={name} target={`fields.${name}`} />
      ))}
      {draft.custom.map(({ name }) => (
        <FieldRow key={`custom.${name}`} target={`custom.${name}`} />
      ))}
      {mayWrite && <AddCustom />}
    </section>
  );
}
