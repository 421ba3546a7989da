import { type Dispatch, useEffect, useRef, useState } from 'react';
import { announce } from '../../parts/feedback/announce.tsx';
import { labelOf, type Target } from '../model/draft/alert-fields.ts';
import type { DraftAction } from '../model/draft/draft-reducer.ts';
import { tagOf } from '../model/draft/tags.ts';

/** A payload field that is dragged or selected. */
export interface PayloadField {
  path: string;
  label: string;
}

export const NEW_CUSTOM = 'new custom field';
/** A part of the key of a lookup. */
export type KeyPlace = { lookup: string; part: number };
export type InsertPlace = Target | KeyPlace | typeof NEW_CUSTOM;

/** Returns what a place is called. */
export function placeLabel(place: InsertPlace): string {
  if (place === NEW_CUSTOM) return 'a new custom field';
  return typeof place === 'string' ? labelOf(place) : `the key of the lookup ${place.lookup}`;
}

/**
 * Inserts payload fields into templates and expressions: by drag and drop, or by selecting the field and then the place. Both call
 * `insert`. `textOf` returns what is inserted into a field or a key, or null if its expression cannot read the path; `cursorOf` returns where; `brokenOf` returns
 * the broken tag that it replaces.
 */
export function useFieldSelection(
  dispatch: Dispatch<DraftAction>,
  textOf: (place: Target | KeyPlace, path: string) => string | null,
  cursorOf: (place: Target | KeyPlace) => number | undefined,
  brokenOf: (target: Target) => string | null,
) {
  const [selected, setSelected] = useState<PayloadField | null>(null);
  const origin = useRef<HTMLElement | null>(null);
  const isByKey = useRef(false);
  const end = (mayScroll: boolean) => {
    setSelected(null);
    origin.current?.focus({ preventScroll: !mayScroll });
  };
  const insert = (field: PayloadField, place: InsertPlace) => {
    const text = place === NEW_CUSTOM ? tagOf(field.path) : textOf(place, field.path);
    if (text === null) return announce(`An expression cannot read ${field.path}`);
    if (place === NEW_CUSTOM) dispatch({ type: 'addCustom', suggestedName: field.label, path: field.path });
    else if (typeof place !== 'string')
      dispatch({
        type: 'insertKey',
        name: place.lookup,
        part: place.part,
        text,
        cursor: cursorOf(place),
      });
    else {
      const broken = brokenOf(place);
      if (broken === null) dispatch({ type: 'insert', target: place, text, cursor: cursorOf(place) });
      else dispatch({ type: 'replacePart', target: place, part: broken, by: text });
    }
    announce(`Inserted ${text} into ${placeLabel(place)}`);
  };
  const cancel = () => {
    announce('Selection canceled');
    end(true);
  };
  useEscape(selected !== null, cancel);
  useEffect(() => {
    if (selected && isByKey.current) document.querySelector<HTMLElement>('[data-insert]')?.focus();
  }, [selected]);
  return {
    selected,
    insert,
    cancel,
    /** With `byKey`, the focus moves to the first place where the field can be inserted. */
    select: (field: PayloadField, element: HTMLElement, byKey: boolean) => {
      origin.current = element;
      isByKey.current = byKey;
      setSelected(field);
      announce(`${field.label} selected. Choose an alert field`);
    },
    /** With `byKey`, the page scrolls back to the tree. Otherwise the changed alert field stays in view. */
    insertSelected: (place: InsertPlace, byKey: boolean) => {
      if (selected) insert(selected, place);
      end(byKey);
    },
  };
}

export type FieldSelection = ReturnType<typeof useFieldSelection>;

function useEscape(active: boolean, cancel: () => void): void {
  const latest = useRef(cancel);
  latest.current = cancel;
  useEffect(() => {
    if (!active) return;
    const onKey = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') latest.current();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [active]);
}
