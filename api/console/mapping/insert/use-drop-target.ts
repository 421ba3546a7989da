import { dropTargetForElements, monitorForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { useEditorContext } from '../state/editor-context.tsx';
import type { InsertPlace, PayloadField } from '../state/use-field-selection.ts';
import { draggedField } from './use-drag-field.ts';

/** Makes an element accept payload fields. Returns whether a field is being dragged, and the field over the element. */
export function useDropTarget(element: RefObject<HTMLElement | null>, place: InsertPlace) {
  const { selection } = useEditorContext();
  const [isDragging, setDragging] = useState(false);
  const [over, setOver] = useState<PayloadField | null>(null);
  const insert = useRef(selection.insert);
  insert.current = selection.insert;
  useEffect(() => {
    if (!element.current) return;
    const stopTarget = dropTargetForElements({
      element: element.current,
      canDrop: ({ source }) => draggedField(source.data) !== null,
      onDragEnter: ({ source }) => setOver(draggedField(source.data)),
      onDragLeave: () => setOver(null),
      onDrop: ({ source }) => {
        const field = draggedField(source.data);
        setOver(null);
        if (field) insert.current(field, place);
      },
    });
    const stopMonitor = monitorForElements({
      onDragStart: ({ source }) => setDragging(draggedField(source.data) !== null),
      onDrop: () => setDragging(false),
    });
    return () => {
      stopTarget();
      stopMonitor();
    };
  }, [element, place]);
  return { isDragging, over };
}
