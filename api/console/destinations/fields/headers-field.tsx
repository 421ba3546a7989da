import { Textarea } from '@mantine/core';
import type { ReactNode } from 'react';

interface HeadersFieldProps {
  text: string;
  onChange: (text: string) => void;
  /** The names of the headers that the destination has; their values are not shown. */
  known?: readonly string[];
  error: ReactNode;
}

/** The input for headers, one in each line. */
export const HeadersField = ({ text, onChange, known, error }: HeadersFieldProps) => (
  <Textarea
    label={known ? 'New headers' : 'Headers'}
    description={
      known
        ? 'One in each line, such as “authorization: Bearer …”. Others stay; a name without a value removes one. Values are stored encrypted and never shown.'
        : 'One in each line, such as “authorization: Bearer …”. Values are stored encrypted and never shown.'
    }
    placeholder={known && `Now: ${known.join(', ') || 'none'}`}
    autosize
    minRows={2}
    maxRows={10}
    autoComplete="off"
    spellCheck={false}
    value={text}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
    error={error}
  />
);

/** Returns the headers in a text by name. `empty` is the value of one without text. */
export function headersIn(text: string, empty: '' | null): Record<string, string | null> {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return Object.fromEntries(
    lines.map((line) => {
      const [name = '', ...value] = line.split(':');
      return [name.trim(), value.join(':').trim() || empty];
    }),
  );
}
