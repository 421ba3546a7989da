import { UnstyledButton } from '@mantine/core';
import { counted } from '../../text/quantities.ts';
import { labelOf, type Target } from '../model/draft/alert-fields.ts';
import { fieldAt } from '../model/draft/draft.ts';
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
  // A new map starts with the value that the payload has now.
  const from = count === 0 && result?.result === 'resolved' ? result.value : null;
  const text = count === 0 ? 'Map values' : `${counted(count, 'value')} mapped`;
  return (
    <div className={styles.options}>
      <SourceSwitch target={target} />
      <DefaultValue target={target} />
      {(mayWrite || count > 0) && (
        <UnstyledButton
          className={styles.option}
          data-set={count > 0}
          onClick={() => editValues(target, from ?? undefined)}
          aria-label={`${text}, ${labelOf(target)}`}
        >
          {text}
        </UnstyledButton>
      )}
    </div>
  );
}
