import { Checkbox } from '@mantine/core';
import { useEditorContext } from '../state/editor-context.tsx';
import styles from './fields.module.css';
import { MappingWarnings } from './mapping-warnings.tsx';

/** Whether a key is one problem for ever. */
export function FinalKeys() {
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
