import type { PayloadField } from '../state/use-field-selection.ts';
import styles from './insert.module.css';

interface DropHintProps {
  field: PayloadField;
  /** What is inserted. */
  text: string | null;
  /** Whether it goes to the end of a text. */
  appends: boolean;
  /** The broken tag that it replaces. */
  replaces?: string | null;
}

/** Shows what dropping the field here will do. */
export const DropHint = ({ field, text, appends, replaces = null }: DropHintProps) => (
  <div className={styles.hint} aria-hidden="true">
    <span>
      {text === null ? (
        <>An expression cannot read {field.label}</>
      ) : (
        <>
          Drop <b>{field.label}</b> here to{' '}
          {replaces === null ? (appends ? 'append' : 'insert') : `replace ${replaces} with`}{' '}
          <code>{text}</code>
        </>
      )}
    </span>
  </div>
);
