import { Group, Radio, Select } from '@mantine/core';
import styles from './upload.module.css';
import type { UploadOptions } from './upload-state.ts';

interface Props {
  options: UploadOptions;
  disabled: boolean;
  onChange: (changes: Partial<UploadOptions>) => void;
}

const CHARSETS = [
  { value: '', label: 'Detect automatically: UTF-8, or UTF-16 with BOM' },
  { value: 'windows-1252', label: 'windows-1252 (Western European)' },
  { value: 'iso-8859-15', label: 'iso-8859-15 (Western European)' },
  { value: 'windows-1250', label: 'windows-1250 (Central European)' },
  { value: 'windows-1251', label: 'windows-1251 (Cyrillic)' },
  { value: 'windows-1253', label: 'windows-1253 (Greek)' },
  { value: 'windows-1254', label: 'windows-1254 (Turkish)' },
  { value: 'shift_jis', label: 'shift_jis (Japanese)' },
  { value: 'gb18030', label: 'gb18030 (Chinese)' },
  { value: 'big5', label: 'big5 (Chinese, traditional)' },
  { value: 'euc-kr', label: 'euc-kr (Korean)' },
];

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
    <Select
      label="Character encoding"
      className={styles.charset}
      data={CHARSETS}
      value={options.charset}
      allowDeselect={false}
      disabled={disabled}
      onChange={(charset) => onChange({ charset: charset ?? '' })}
    />
  </Group>
);
