import { draggable } from '@atlaskit/pragmatic-drag-and-drop/element/adapter';
import { type RefObject, useEffect, useRef } from 'react';
import type { PayloadField } from '../state/use-field-selection.ts';

const KIND = 'payload field';

/** Makes a payload field draggable. */
export function useDragField(
  element: RefObject<HTMLElement | null>,
  field: PayloadField,
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

/** Returns the payload field that is being dragged, or null if something else is. */
export function draggedField(data: Record<string, unknown>): PayloadField | null {
  const { kind, path, label } = data;
  return kind === KIND && typeof path === 'string' && typeof label === 'string' ? { path, label } : null;
}
