import { tagOf } from '../model/draft/tags.ts';
import type { PayloadField } from '../state/use-field-selection.ts';
import styles from './insert.module.css';

/** Shows what dropping the field here will do. */
export const DropHint = ({ field, filled }: { field: PayloadField; filled: boolean }) => (
  <div className={styles.hint} aria-hidden="true">
    <span>
      Drop <b>{field.label}</b> here to {filled ? 'append' : 'insert'} <code>{tagOf(field.path)}</code>
    </span>
  </div>
);
