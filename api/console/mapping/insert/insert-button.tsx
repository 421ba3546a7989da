import { UnstyledButton } from '@mantine/core';
import type { KeyboardEvent } from 'react';
import { labelOf } from '../model/draft/alert-fields.ts';
import { useEditorContext } from '../state/editor-context.tsx';
import { type InsertPlace, NEW_CUSTOM, type PickedField } from '../state/use-field-picking.ts';
import styles from './insert.module.css';

interface InsertButtonProps {
  place: InsertPlace;
  picked: PickedField;
  /** Whether there is a template already. */
  filled?: boolean;
}

/** Puts the picked field here: for who drags nothing. */
export function InsertButton({ place, picked, filled = false }: InsertButtonProps) {
  const { picking } = useEditorContext();
  const where = place === NEW_CUSTOM ? 'as a new custom field' : `into ${labelOf(place)}`;
  return (
    <UnstyledButton
      className={styles.hint}
      data-insert
      aria-label={`Insert ${picked.label} here, ${where}`}
      // A click without a press of a button is one of a key.
      onClick={({ detail }) => picking.insertPicked(place, detail === 0)}
    >
      <span>
        Insert <b>{picked.label}</b> here{filled && ', behind what is there'}
      </span>
    </UnstyledButton>
  );
}

/** The arrow keys go from one place to the next. */
export function moveAmongPlaces(event: KeyboardEvent<HTMLElement>): void {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const places = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-insert]')];
  const at = places.indexOf(event.target as HTMLElement);
  if (by === undefined || at === -1) return;
  event.preventDefault();
  places[at + by]?.focus();
}
