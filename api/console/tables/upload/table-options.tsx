import { Group, Radio, Select, Stack, TextInput } from '@mantine/core';
import { CharsetSelect } from '../../identities/upload/options/charset-select.tsx';
import styles from '../../identities/upload/upload.module.css';
import { MATCHINGS } from '../matchings.ts';
import type { TableOptions } from './upload-state.ts';

interface OptionsProps {
  options: TableOptions;
  /** Whether there is no such table yet, so that nothing can be kept. */
  isNew: boolean;
  disabled: boolean;
  onChange: (changes: Partial<TableOptions>) => void;
}

/** What the file does, which columns are the key, how keys match, and what happens if rows are invalid. */
export const TableOptionsInput = ({ options, isNew, disabled, onChange }: OptionsProps) => (
  <Stack gap="md">
    {!isNew && (
      <Radio.Group
        label="What the file does"
        value={options.mode}
        onChange={(mode) => onChange({ mode, key: '', matching: '' })}
      >
        <Stack mt={6} gap="xs">
          <Radio
            value=""
            label="Replace the table"
            description="The table has the rows of the file and no others."
            disabled={disabled}
          />
          <Radio
            value="merge"
            label="Add and change rows"
            description="Rows whose keys the file does not name stay, and so do columns that it does not have."
            disabled={disabled}
          />
        </Stack>
      </Radio.Group>
    )}
    <Radio.Group
      label="If rows are invalid"
      value={options.onError}
      onChange={(onError) => onChange({ onError })}
    >
      <Group mt={6} gap="md">
        <Radio value="" label="Reject the whole file" disabled={disabled} />
        <Radio value="continue" label="Upload all other rows" disabled={disabled} />
      </Group>
    </Radio.Group>
    <div className={styles.fields}>
      {options.mode !== 'merge' && (
        <>
          <TextInput
            label="Key columns (optional)"
            description={`Separate several by commas. Default: ${isNew ? 'the first column' : 'as in the table'}`}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            value={options.key}
            disabled={disabled}
            autoComplete="off"
            spellCheck={false}
            onChange={({ currentTarget }) => onChange({ key: currentTarget.value })}
          />
          <Select
            label="Keys match"
            data={[
              { value: '', label: isNew ? MATCHINGS.exact.label : 'As in the table' },
              ...Object.entries(MATCHINGS)
                .filter(([value]) => !isNew || value !== 'exact')
                .map(([value, { label }]) => ({ value, label })),
            ]}
            description={aboutMatching(options.matching)}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            value={options.matching}
            allowDeselect={false}
            disabled={disabled}
            onChange={(matching) => onChange({ matching: matching ?? '' })}
          />
        </>
      )}
      <CharsetSelect
        charset={options.charset}
        disabled={disabled}
        onChange={(charset) => onChange({ charset })}
      />
    </div>
  </Stack>
);

const aboutMatching = (matching: string): string | undefined =>
  Object.entries(MATCHINGS).find(([value]) => value === matching)?.[1].about;
