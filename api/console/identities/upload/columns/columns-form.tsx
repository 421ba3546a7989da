import { Button, Group, Select, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { UploadPreview } from '../../../http/types.ts';
import { AccountSystemInput } from '../../systems/account-system-input.tsx';
import styles from '../upload.module.css';
import type { Mode } from '../upload-state.ts';
import {
  type ColumnChoice,
  choiceErrors,
  type Field,
  fieldsOf,
  isChoosable,
  proposeChoice,
} from './column-choice.ts';

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
              <AccountSystemInput
                mt="xs"
                label="Account system ID of all rows"
                maxLength={120}
                value={choice.fixedId}
                error={shown.integrationId}
                onValue={(fixedId) => setChoice((before) => ({ ...before, fixedId }))}
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

/** The value of the option that a field is the same in all rows. */
const SAME_FOR_ALL = 'same';

interface ColumnSelectProps {
  field: Field;
  columns: UploadPreview['columns'];
  /** The position of the column, `SAME_FOR_ALL`, or null. */
  value: number | typeof SAME_FOR_ALL | null;
  error: string | undefined;
  onChange: (value: number | typeof SAME_FOR_ALL) => void;
}

/** Chooses the column of a field. Each column has samples of its values. */
function ColumnSelect({ field, columns, value, error, onChange }: ColumnSelectProps) {
  const options = columns.map(({ name }, index) => ({
    value: String(index),
    label: name.trim() || `Column ${index + 1}, without a name`,
    disabled: !isChoosable(columns, index),
  }));
  const same = { value: SAME_FOR_ALL, label: 'Same ID for all rows', disabled: false };
  return (
    <Select
      label={field}
      placeholder="Choose a column"
      description={describe(typeof value === 'number' ? columns[value] : undefined)}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      data={field === 'integrationId' ? [same, ...options] : options}
      value={value === null ? null : String(value)}
      error={error}
      allowDeselect={false}
      searchable={columns.length > 10}
      // A scroll area is as wide as the longest sample.
      withScrollArea={false}
      classNames={{ dropdown: styles.dropdown }}
      onChange={(chosen) => {
        if (chosen !== null) onChange(chosen === SAME_FOR_ALL ? SAME_FOR_ALL : Number(chosen));
      }}
      renderOption={({ option }) => (
        <div className={styles.option}>
          {option.label}
          <Text size="xs" c="dimmed" truncate>
            {describe(columns[Number(option.value)])}
          </Text>
        </div>
      )}
    />
  );
}

/** Returns samples of a column's values. */
function describe(column: UploadPreview['columns'][number] | undefined): string {
  if (!column) return '';
  return column.samples.length > 0
    ? `For example ${column.samples.join(', ')}`
    : 'No values in the first rows';
}
