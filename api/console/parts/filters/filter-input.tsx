import { TextInput, type TextInputProps } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';

const PAUSE_MS = 350;

interface FilterInputProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  value: string;
  change: (value: string) => void;
}

/** A text to filter by; it is looked for once the typing pauses. */
export function FilterInput({ value, change, ...input }: FilterInputProps) {
  const [text, setText] = useState(value);
  const latest = useRef(change);
  latest.current = change;
  // What is being typed stays: the filter is without the space behind which the next word begins.
  useEffect(() => setText((now) => (now.trim() === value ? now : value)), [value]);
  useEffect(() => {
    if (text.trim() === value) return;
    const timer = setTimeout(() => latest.current(text.trim()), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, value]);
  return <TextInput {...input} value={text} onChange={({ currentTarget }) => setText(currentTarget.value)} />;
}
