import { draggable } from '@atlaskit/pragmatic-drag-and-drop/element/adapter';
import { type RefObject, useEffect, useRef } from 'react';
import type { PickedField } from '../state/use-field-picking.ts';

const KIND = 'payload field';

/** Lets a payload's field be dragged. */
export function useDragField(
  element: RefObject<HTMLElement | null>,
  field: PickedField,
  enabled: boolean,
): void {
  const latest = useRef(field);
  latest.current = field;
  useEffect(() => {
    if (!element.current || !enabled) return;
    return draggable({
      element: element.current,
      getInitialData: () => ({ kind: KIND, ...latest.current }),
    });
  }, [element, enabled]);
}

/** The payload's field that is dragged; null: it is something else. */
export function draggedField(data: Record<string, unknown>): PickedField | null {
  const { kind, path, label } = data;
  return kind === KIND && typeof path === 'string' && typeof label === 'string' ? { path, label } : null;
}
