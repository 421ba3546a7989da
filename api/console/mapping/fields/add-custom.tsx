import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useRef } from 'react';
import { announce } from '../../parts/feedback/announce.tsx';
import { useEditorContext } from '../editor-context.tsx';
import { MAX_CUSTOM } from '../model/draft/custom-name.ts';
import { NEW_CUSTOM } from '../use-picking.ts';
import { DropHint } from './drop-hint.tsx';
import own from './fields.module.css';
import { InsertButton } from './insert-button.tsx';
import { useDropPlace } from './use-drop-place.ts';

/** Makes a field of the mapping's own: empty by a click, of a payload's field by dropping that here. */
export function AddCustom() {
  const { draft, dispatch, picking } = useEditorContext();
  const element = useRef<HTMLDivElement>(null);
  const drop = useDropPlace(element, NEW_CUSTOM);
  if (draft.custom.length >= MAX_CUSTOM) return null;
  const add = () => {
    dispatch({ type: 'addCustom', wish: 'field' });
    announce('A custom field was added; give it a name');
  };
  return (
    <div ref={element} className={own.row} data-dragging={drop.isDragging}>
      <div className={own.head}>
        <Button
          size="compact-sm"
          px={0}
          variant="subtle"
          leftSection={<IconPlus size={14} />}
          onClick={add}
          disabled={picking.picked !== null}
        >
          Custom field
        </Button>
      </div>
      <div className={own.body}>
        <div className={own.place}>
          <div className={own.empty}>drop any field here</div>
          {picking.picked && <InsertButton place={NEW_CUSTOM} picked={picking.picked} />}
          {drop.over && <DropHint field={drop.over} filled={false} />}
        </div>
      </div>
    </div>
  );
}
