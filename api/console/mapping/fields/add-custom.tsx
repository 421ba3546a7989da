import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useRef } from 'react';
import { announce } from '../../parts/feedback/announce.tsx';
import { DropHint } from '../insert/drop-hint.tsx';
import { InsertButton } from '../insert/insert-button.tsx';
import { useDropPlace } from '../insert/use-drop-target.ts';
import { MAX_CUSTOM } from '../model/draft/custom-name.ts';
import { useEditorContext } from '../state/editor-context.tsx';
import { NEW_CUSTOM } from '../state/use-field-picking.ts';
import styles from './fields.module.css';

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
    <div ref={element} className={styles.row} data-dragging={drop.isDragging}>
      <div className={styles.head}>
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
      <div className={styles.body}>
        <div className={styles.place}>
          <div className={styles.empty}>drop any field here</div>
          {picking.picked && <InsertButton place={NEW_CUSTOM} picked={picking.picked} />}
          {drop.over && <DropHint field={drop.over} filled={false} />}
        </div>
      </div>
    </div>
  );
}
