import { UnstyledButton } from '@mantine/core';
import { counted } from '../../text/quantities.ts';
import { labelOf, type Target } from '../model/draft/alert-fields.ts';
import { fieldAt } from '../model/draft/draft.ts';
import type { PreviewedField } from '../model/previewed.ts';
import { useEditorContext } from '../state/editor-context.tsx';
import { DefaultValue } from './default-value.tsx';
import styles from './fields.module.css';
import { SourceSwitch } from './source-switch.tsx';
import { useFieldResult } from './use-field-result.ts';

/** The buttons for a field's kind, default and value map. */
export function FieldOptions({ target }: { target: Target }) {
  const { draft, editValues, mayWrite } = useEditorContext();
  const { values } = fieldAt(draft, target);
  const result = useFieldResult(target);
  const count = Object.keys(values).length;
  const from = count === 0 && result?.result === 'resolved' ? unmappedValue(target, result) : null;
  const text = count === 0 ? 'Map values' : `${counted(count, 'value')} mapped`;
  return (
    <div className={styles.options}>
      <SourceSwitch target={target} />
      <DefaultValue target={target} />
      {(mayWrite || count > 0) && (
        <UnstyledButton
          className={styles.option}
          data-set={count > 0}
          onClick={() => editValues(target, from === null ? [] : [from])}
          aria-label={`${text}, ${labelOf(target)}`}
        >
          {text}
        </UnstyledButton>
      )}
    </div>
  );
}

/** Returns the value that a new map starts with: the one that the payload has now. The value of a status is no longer its word. */
const unmappedValue = (target: Target, { value, warnings }: PreviewedField): string | null =>
  target === 'fields.status'
    ? (warnings.find(({ code }) => code === 'unknown_status')?.value ?? null)
    : value;
