import { Popover, Textarea, TextInput, UnstyledButton } from '@mantine/core';
import { type KeyboardEvent, useState } from 'react';
import { toInputError } from '../../parts/values/message.tsx';
import { counted } from '../../text/quantities.ts';
import { labelOf, type Target } from '../model/draft/alert-fields.ts';
import { fieldAt } from '../model/draft/draft.ts';
import type { PreviewedField } from '../model/previewed.ts';
import { useEditorContext } from '../state/editor-context.tsx';
import styles from './fields.module.css';
import { SourceSwitch } from './source-switch.tsx';
import { useFieldResult } from './use-field-result.ts';

/** The buttons for a field's kind, default and value map. */
export function FieldOptions({ target }: { target: Target }) {
  const { draft, dispatch, editValues, mayWrite } = useEditorContext();
  const { values, expression } = fieldAt(draft, target);
  const result = useFieldResult(target);
  const count = Object.keys(values).length;
  const from = count === 0 && result?.result === 'resolved' ? unmappedValue(target, result) : null;
  const text = count === 0 ? 'Map values' : `${counted(count, 'value')} mapped`;
  return (
    <div className={styles.options}>
      {mayWrite && (
        <SourceSwitch
          label={labelOf(target)}
          isExpression={expression !== undefined}
          choose={(isExpression) =>
            // The draft keeps the template.
            dispatch({ type: 'change', target, change: { expression: isExpression ? '' : undefined } })
          }
        />
      )}
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

/** The value of a field whose template finds none. */
function DefaultValue({ target }: { target: Target }) {
  const { draft, mayWrite } = useEditorContext();
  const [open, setOpen] = useState(false);
  const value = fieldAt(draft, target).default;
  if (!mayWrite && value === '') return null;
  const text = value === '' ? 'Set default' : `Default: ${value}`;
  return (
    <Popover opened={open} onChange={setOpen} trapFocus returnFocus position="bottom-start" withArrow>
      <Popover.Target>
        <UnstyledButton
          className={styles.option}
          data-set={value !== ''}
          onClick={() => setOpen(!open)}
          aria-label={`${text}, ${labelOf(target)}`}
        >
          {text}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown aria-label={`Default for ${labelOf(target)}`}>
        <DefaultInput target={target} close={() => setOpen(false)} />
      </Popover.Dropdown>
    </Popover>
  );
}

function DefaultInput({ target, close }: { target: Target; close(): void }) {
  const { draft, dispatch, mayWrite, fieldErrors } = useEditorContext();
  const long = target === 'fields.description';
  const Input = long ? Textarea : TextInput;
  const error = fieldErrors.get(target)?.find(({ field }) => field === `${target}.default`);
  return (
    <Input
      label={`Default for ${labelOf(target)}`}
      description="Used when the template finds no value"
      value={fieldAt(draft, target).default}
      readOnly={!mayWrite}
      error={toInputError(error?.message)}
      w="16rem"
      data-autofocus
      onChange={({ currentTarget }: { currentTarget: { value: string } }) =>
        dispatch({ type: 'change', target, change: { default: currentTarget.value } })
      }
      onKeyDown={({ key }: KeyboardEvent) => {
        if (key === 'Enter' && !long) close();
      }}
    />
  );
}
