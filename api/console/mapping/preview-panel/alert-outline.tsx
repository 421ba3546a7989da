import { Fragment } from 'react';
import { ALERT_FIELDS, LIFECYCLE_FIELD_NAMES, labelOf } from '../model/draft/alert-fields.ts';
import { isMapped } from '../model/draft/draft.ts';
import { useEditorContext } from '../state/editor-context.tsx';
import { BELOW } from './alert-preview.tsx';
import styles from './preview-panel.module.css';

/** The fields of an alert whose preview is loading, so that what is below them stays in place when their values come. */
export function AlertOutline() {
  const { draft } = useEditorContext();
  const labels = [
    ...BELOW.map((name) => ALERT_FIELDS[name].label),
    ...LIFECYCLE_FIELD_NAMES.map((name) => `fields.${name}` as const)
      .filter((target) => isMapped(draft, target))
      .map(labelOf),
    ...draft.custom.map(({ name }) => name),
  ];
  return (
    <>
      <div className={styles.title}>
        <span className={styles.nothing}>Loading the preview…</span>
      </div>
      <dl className={styles.facts}>
        {labels.map((label) => (
          <Fragment key={label}>
            <dt>{label}</dt>
            <dd className={styles.nothing}>…</dd>
          </Fragment>
        ))}
      </dl>
    </>
  );
}
