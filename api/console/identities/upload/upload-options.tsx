import { Group, Radio } from '@mantine/core';
import { CharsetSelect } from './charset-select.tsx';
import type { UploadOptions } from './upload-state.ts';

interface Props {
  options: UploadOptions;
  disabled: boolean;
  onChange: (changes: Partial<UploadOptions>) => void;
}

/** The character encoding of the file, and what happens if rows are invalid. */
export const UploadOptionsInput = ({ options, disabled, onChange }: Props) => (
  <Group align="flex-start" gap="lg">
    <Radio.Group
      label="If rows are invalid"
      value={options.onError}
      onChange={(onError) => onChange({ onError: onError as UploadOptions['onError'] })}
    >
      <Group mt={6} gap="md">
        <Radio value="abort" label="Reject the whole file" disabled={disabled} />
        <Radio value="continue" label="Import all other rows" disabled={disabled} />
      </Group>
    </Radio.Group>
    <CharsetSelect
      charset={options.charset}
      disabled={disabled}
      onChange={(charset) => onChange({ charset })}
    />
  </Group>
);
