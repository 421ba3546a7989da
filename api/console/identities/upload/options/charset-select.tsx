import { Select } from '@mantine/core';

interface Props {
  /** Empty if it is detected from the file. */
  charset: string;
  disabled: boolean;
  onChange: (charset: string) => void;
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

/** The character encoding of a file. */
export const CharsetSelect = ({ charset, disabled, onChange }: Props) => (
  <Select
    label="Character encoding"
    data={CHARSETS}
    value={charset}
    allowDeselect={false}
    disabled={disabled}
    onChange={(chosen) => onChange(chosen ?? '')}
  />
);
