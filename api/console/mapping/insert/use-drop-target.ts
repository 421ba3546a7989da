import { dropTargetForElements, monitorForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { useEditorContext } from '../state/editor-context.tsx';
import type { InsertPlace, PickedField } from '../state/use-field-picking.ts';
import { draggedField } from './use-drag-field.ts';

/** A place where a payload's field can be dropped: whether one is dragged, and which one is above it. */
export function useDropPlace(element: RefObject<HTMLElement | null>, place: InsertPlace) {
  const { picking } = useEditorContext();
  const [isDragging, setDragging] = useState(false);
  const [over, setOver] = useState<PickedField | null>(null);
  const insert = useRef(picking.insert);
  insert.current = picking.insert;
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
