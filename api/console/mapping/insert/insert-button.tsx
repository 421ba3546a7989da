import { UnstyledButton } from '@mantine/core';
import type { KeyboardEvent } from 'react';
import { useEditorContext } from '../state/editor-context.tsx';
import { type InsertPlace, NEW_CUSTOM, type PayloadField, placeLabel } from '../state/use-field-selection.ts';
import styles from './insert.module.css';

interface InsertButtonProps {
  place: InsertPlace;
  selected: PayloadField;
  /** Whether the field goes to the end of a text. */
  appends?: boolean;
  /** The broken tag that it replaces. */
  replaces?: string | null;
}

/** Inserts the selected payload field here: the alternative to drag and drop. */
export function InsertButton({ place, selected, appends = false, replaces = null }: InsertButtonProps) {
  const { selection } = useEditorContext();
  const where = place === NEW_CUSTOM ? 'as a new custom field' : `into ${placeLabel(place)}`;
  const end = appends ? ', at the end' : '';
  const how = replaces === null ? end : `, in place of ${replaces}`;
  return (
    <UnstyledButton
      className={styles.hint}
      data-insert
      aria-label={`Insert ${selected.label} here${how}, ${where}`}
      // A click with detail 0 comes from the keyboard.
      onClick={({ detail }) => selection.insertSelected(place, detail === 0)}
    >
      <span>
        Insert <b>{selected.label}</b> here{how}
      </span>
    </UnstyledButton>
  );
}

/** Moves the focus between the insert buttons with the arrow keys. */
export function moveAmongPlaces(event: KeyboardEvent<HTMLElement>): void {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const places = [...document.querySelectorAll<HTMLElement>('[data-insert]')];
  const at = places.indexOf(event.target as HTMLElement);
  if (by === undefined || at === -1) return;
  event.preventDefault();
  places[at + by]?.focus();
}
