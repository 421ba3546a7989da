import type { PayloadField } from '../state/use-field-selection.ts';
import styles from './insert.module.css';

interface DropHintProps {
  field: PayloadField;
  /** What is inserted. */
  text: string | null;
  /** Whether it goes to the end of a text. */
  appends: boolean;
}

/** Shows what dropping the field here will do. */
export const DropHint = ({ field, text, appends }: DropHintProps) => (
  <div className={styles.hint} aria-hidden="true">
    <span>
      {text === null ? (
        <>An expression cannot read {field.label}</>
      ) : (
        <>
          Drop <b>{field.label}</b> here to {appends ? 'append' : 'insert'} <code>{text}</code>
        </>
      )}
    </span>
  </div>
);
