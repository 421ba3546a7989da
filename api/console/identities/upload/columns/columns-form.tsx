import { Button, Group, TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { UploadPreview } from '../../../http/types.ts';
import styles from '../upload.module.css';
import type { Mode } from '../upload-state.ts';
import { type ColumnChoice, choiceErrors, type Field, fieldsOf, proposeChoice } from './column-choice.ts';
import { ColumnSelect, SAME_FOR_ALL } from './column-select.tsx';

interface ColumnsFormProps {
  columns: UploadPreview['columns'];
  mode: Mode;
  /** The account system of all rows as it is set, or ''. */
  integrationId: string;
  onChoose: (choice: ColumnChoice) => void;
  /** Undefined if the file cannot be read without a choice. */
  onCancel?: (() => void) | undefined;
}

/** Chooses the column of each field. Starts with the columns that the API proposes. */
export function ColumnsForm({ columns, mode, integrationId, onChoose, onCancel }: ColumnsFormProps) {
  const [choice, setChoice] = useState(() => proposeChoice(columns, integrationId));
  /** How often the form was submitted. Each time the first invalid field gets the focus. */
  const [tries, setTries] = useState(0);
  const errors = choiceErrors(choice, mode);
  const shown = tries > 0 ? errors : {};
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (tries > 0) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [tries]);
  const set = (field: Field, value: number | typeof SAME_FOR_ALL) => {
    const isFixed = field === 'integrationId' && value === SAME_FOR_ALL;
    setChoice((before) => ({
      ...before,
      [field]: typeof value === 'number' ? value : null,
      ...(field === 'integrationId' ? { fixedId: isFixed ? (before.fixedId ?? '') : null } : {}),
    }));
  };
  const submit = () => {
    setTries(tries + 1);
    if (Object.keys(errors).length === 0) onChoose(choice);
  };
  return (
    <form
      ref={form}
      aria-label="Columns"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <div className={styles.columns}>
        {fieldsOf(mode).map((field) => (
          <div key={field}>
            <ColumnSelect
              field={field}
              columns={columns}
              value={field === 'integrationId' && choice.fixedId !== null ? SAME_FOR_ALL : choice[field]}
              error={field === 'integrationId' && choice.fixedId !== null ? undefined : shown[field]}
              onChange={(value) => set(field, value)}
            />
            {field === 'integrationId' && choice.fixedId !== null && (
              <TextInput
                mt="xs"
                label="Account system ID of all rows"
                inputMode="numeric"
                maxLength={16}
                value={choice.fixedId}
                error={shown.integrationId}
                onChange={({ currentTarget: { value } }) =>
                  setChoice((before) => ({ ...before, fixedId: value.trim() }))
                }
              />
            )}
          </div>
        ))}
      </div>
      <Group mt="md" gap="sm">
        <Button type="submit">Use these columns</Button>
        {onCancel && (
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
        )}
      </Group>
    </form>
  );
}
