import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useRef } from 'react';
import { announce } from '../../parts/feedback/announce.tsx';
import { DropHint } from '../insert/drop-hint.tsx';
import { InsertButton } from '../insert/insert-button.tsx';
import { useDropTarget } from '../insert/use-drop-target.ts';
import { MAX_CUSTOM } from '../model/draft/custom-name.ts';
import { tagOf } from '../model/draft/tags.ts';
import { useEditorContext } from '../state/editor-context.tsx';
import { NEW_CUSTOM } from '../state/use-field-selection.ts';
import styles from './fields.module.css';

/** Adds a custom field: an empty one by a click, or one with a template by dropping a payload field here. */
export function AddCustom() {
  const { draft, dispatch, selection } = useEditorContext();
  const element = useRef<HTMLDivElement>(null);
  const drop = useDropTarget(element, NEW_CUSTOM);
  if (draft.custom.length >= MAX_CUSTOM) return null;
  const add = () => {
    dispatch({ type: 'addCustom', suggestedName: 'field' });
    announce('Added a custom field. Enter its name.');
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
          disabled={selection.selected !== null}
        >
          Custom field
        </Button>
      </div>
      <div className={styles.body}>
        <div className={styles.place}>
          <div className={styles.empty}>Drop a field here</div>
          {selection.selected && <InsertButton place={NEW_CUSTOM} selected={selection.selected} />}
          {drop.over && <DropHint field={drop.over} text={tagOf(drop.over.path)} appends={false} />}
        </div>
      </div>
    </div>
  );
}
