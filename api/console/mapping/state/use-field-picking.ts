import { type Dispatch, useEffect, useRef, useState } from 'react';
import { announce } from '../../parts/feedback/announce.tsx';
import { labelOf, type Target } from '../model/draft/alert-fields.ts';
import type { DraftAction } from '../model/draft/draft-reducer.ts';
import { tagOf } from '../model/draft/tags.ts';

/** A payload's field on its way into a template. */
export interface PickedField {
  path: string;
  label: string;
}

export const NEW_CUSTOM = 'new custom field';
export type InsertPlace = Target | typeof NEW_CUSTOM;

/**
 * Putting a payload's field into an alert's: by dragging, or by picking first it and then the place. Both end in `insert`.
 */
export function usePicking(dispatch: Dispatch<DraftAction>) {
  const [picked, setPicked] = useState<PickedField | null>(null);
  const from = useRef<HTMLElement | null>(null);
  const drop = (mayScroll: boolean) => {
    setPicked(null);
    from.current?.focus({ preventScroll: !mayScroll });
  };
  const insert = (field: PickedField, place: InsertPlace) => {
    if (place === NEW_CUSTOM) dispatch({ type: 'addCustom', wish: field.label, path: field.path });
    else dispatch({ type: 'insert', target: place, path: field.path });
    const where = place === NEW_CUSTOM ? `a new custom field` : labelOf(place);
    announce(`Inserted ${tagOf(field.path)} into ${where}`);
  };
  const cancel = () => {
    announce('Nothing is picked');
    drop(true);
  };
  useEscape(picked !== null, cancel);
  return {
    picked,
    insert,
    cancel,
    pick: (field: PickedField, element: HTMLElement) => {
      from.current = element;
      setPicked(field);
      announce(`${field.label} picked. Choose an alert field`);
    },
    /** `byKey`: the tree comes into sight again, to go on there; who points at a place wants to see what became of it. */
    insertPicked: (place: InsertPlace, byKey: boolean) => {
      if (picked) insert(picked, place);
      drop(byKey);
    },
  };
}

export type Picking = ReturnType<typeof usePicking>;

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
