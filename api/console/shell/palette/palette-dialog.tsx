import { Kbd, Text, TextInput, VisuallyHidden } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, type RefObject, useEffect, useId, useRef } from 'react';
import { Link } from 'wouter';
import { Dialog } from '../../parts/feedback/dialog.tsx';
import { counted } from '../../text/quantities.ts';
import type { Entry } from './entries.ts';
import styles from './palette.module.css';
import { usePalette } from './use-palette.ts';

/** The palette: an input that finds pages, actions, integrations, and alerts, events and jobs by their ID. */
export default function PaletteDialog({ onClose }: { onClose: () => void }) {
  const palette = usePalette();
  const { text, write, entries, selected, select, move, notice } = palette;
  const list = useId();
  const active = useRef<HTMLAnchorElement>(null);
  const optionId = (index: number) => `${list}-${index}`;
  useEffect(() => {
    active.current?.scrollIntoView({ block: 'nearest' });
  });
  useCloseAfterClick(onClose);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown') move(1);
    else if (event.key === 'ArrowUp') move(-1);
    else if (event.key === 'Enter') active.current?.click();
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title="Go to" onClose={onClose} size="lg" yOffset="12vh">
      <TextInput
        role="combobox"
        aria-label="Page, integration or ID"
        aria-expanded={entries.length > 0}
        aria-controls={list}
        aria-activedescendant={entries.length > 0 ? optionId(selected) : undefined}
        aria-autocomplete="list"
        autoComplete="off"
        spellCheck={false}
        maxLength={500}
        placeholder="A page, an integration, or the ID of an alert, event or job"
        leftSection={<IconSearch size={16} />}
        value={text}
        onChange={({ currentTarget }) => write(currentTarget.value)}
        onKeyDown={onKeyDown}
        data-autofocus
      />
      <div id={list} role="listbox" aria-label="Results" className={styles.list}>
        {entries.map((entry, index) => (
          <Option
            key={entry.href}
            id={optionId(index)}
            entry={entry}
            heading={entry.group === entries[index - 1]?.group ? null : entry.group}
            link={index === selected ? active : null}
            select={() => select(index)}
          />
        ))}
      </div>
      {notice && (
        <Text size="sm" c="dimmed" mt="sm">
          {notice}
        </Text>
      )}
      <VisuallyHidden role="status">{notice ?? counted(entries.length, 'result')}</VisuallyHidden>
    </Dialog>
  );
}

/** Closes the palette after a click on an option, also if the mapping page stops the click to ask about unsaved changes. */
function useCloseAfterClick(close: () => void): void {
  const latest = useRef(close);
  latest.current = close;
  useEffect(() => {
    const onClick = ({ target }: MouseEvent) => {
      if (target instanceof Element && target.closest('[role="option"]')) setTimeout(() => latest.current());
    };
    window.addEventListener('click', onClick, true);
    return () => window.removeEventListener('click', onClick, true);
  }, []);
}

interface OptionProps {
  id: string;
  entry: Entry;
  /** The name of the group, above its first entry. */
  heading: string | null;
  /** Set if the option is selected. */
  link: RefObject<HTMLAnchorElement | null> | null;
  select: () => void;
}

/** A link, so that Ctrl and a click open it in a tab, and unsaved changes are asked about. The input keeps the focus. */
const Option = ({ id, entry, heading, link, select }: OptionProps) => (
  <>
    {heading && (
      <div className={styles.heading} role="presentation">
        {heading}
      </div>
    )}
    <Link
      ref={link}
      id={id}
      href={entry.href}
      role="option"
      aria-selected={link !== null}
      tabIndex={-1}
      className={styles.option}
      onMouseMove={select}
    >
      <bdi>{entry.name}</bdi>
      {entry.note && <Kbd size="xs">{entry.note}</Kbd>}
    </Link>
  </>
);
