import { TextInput, type TextInputProps } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';

const DEBOUNCE_MS = 350;

interface FilterInputProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  value: string;
  change: (value: string) => void;
}

/** A text filter. It applies when the typing pauses. */
export function FilterInput({ value, change, ...input }: FilterInputProps) {
  const [text, setText] = useState(value);
  const latest = useRef(change);
  latest.current = change;
  // Keeps the text while typing: the filter lacks the trailing space before the next word.
  useEffect(() => setText((now) => (now.trim() === value ? now : value)), [value]);
  useEffect(() => {
    if (text.trim() === value) return;
    const timer = setTimeout(() => latest.current(text.trim()), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [text, value]);
  return <TextInput {...input} value={text} onChange={({ currentTarget }) => setText(currentTarget.value)} />;
}
