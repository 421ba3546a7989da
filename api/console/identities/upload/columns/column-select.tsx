import { Select, Text } from '@mantine/core';
import type { UploadPreview } from '../../../http/types.ts';
import styles from '../upload.module.css';
import { type Field, isChoosable } from './column-choice.ts';

/** The value of the option that a field is the same in all rows. */
export const SAME_FOR_ALL = 'same';

interface ColumnSelectProps {
  field: Field;
  columns: UploadPreview['columns'];
  /** The position of the column, `SAME_FOR_ALL`, or null. */
  value: number | typeof SAME_FOR_ALL | null;
  error: string | undefined;
  onChange: (value: number | typeof SAME_FOR_ALL) => void;
}

/** Chooses the column of a field. Each column has samples of its values. */
export function ColumnSelect({ field, columns, value, error, onChange }: ColumnSelectProps) {
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
