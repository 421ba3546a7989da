import { tagOf } from '../model/draft/tags.ts';
import type { PickedField } from '../state/use-field-picking.ts';
import styles from './insert.module.css';

/** What letting go here will do. */
export const DropHint = ({ field, filled }: { field: PickedField; filled: boolean }) => (
  <div className={styles.hint} aria-hidden="true">
    <span>
      Drop <b>{field.label}</b> here to {filled ? 'add' : 'insert'} <code>{tagOf(field.path)}</code>
    </span>
  </div>
);
