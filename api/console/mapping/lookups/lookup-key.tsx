import { useMemo, useRef } from 'react';
import { lazyPart } from '../../parts/feedback/lazy-part.tsx';
import fields from '../fields/fields.module.css';
import { DropHint } from '../insert/drop-hint.tsx';
import { InsertButton } from '../insert/insert-button.tsx';
import { useDropTarget } from '../insert/use-drop-target.ts';
import { type KeyPart, keyPartsOf, type Lookup, withKeyParts } from '../model/draft/lookups.ts';
import { tagOf } from '../model/draft/tags.ts';
import { useEditorContext } from '../state/editor-context.tsx';
import styles from './lookups.module.css';

const TemplateEditor = lazyPart(() => import('../template-editor/template-editor.tsx'));

interface LookupKeyProps {
  name: string;
  lookup: Lookup;
  part: KeyPart;
  index: number;
  /** The name of the key column. */
  label: string;
}

/** A part of the key of a lookup. Payload fields can be dropped on a template. */
export function LookupKey({ name, lookup, part, index, label }: LookupKeyProps) {
  const { dispatch, mayWrite, nodes, selection } = useEditorContext();
  const element = useRef<HTMLDivElement>(null);
  const place = useMemo(() => ({ lookup: name, part: index }), [name, index]);
  const drop = useDropTarget(element, place);
  const isTemplate = typeof part === 'string';
  const change = (template: string) => {
    const parts = keyPartsOf(lookup).map((one, at) => (at === index ? template : one));
    dispatch({ type: 'changeLookup', name, lookup: withKeyParts(lookup, parts) });
  };
  return (
    <div ref={element} className={styles.key} data-dragging={drop.isDragging}>
      <span className={styles.keyLabel}>{label}</span>
      <div className={fields.place}>
        <div inert={selection.selected !== null}>
          {isTemplate ? (
            <TemplateEditor
              placeholder={<div className={fields.waiting}>{part}</div>}
              label={`${label} of lookup ${name}`}
              value={part}
              onChange={change}
              onCursor={() => {}}
              multiline={false}
              readOnly={!mayWrite}
              nodes={nodes}
              missing={[]}
            />
          ) : (
            <code>{part.expression}</code>
          )}
        </div>
        {isTemplate && selection.selected && (
          <InsertButton place={place} selected={selection.selected} appends={part.trim() !== ''} />
        )}
        {isTemplate && drop.over && (
          <DropHint field={drop.over} text={tagOf(drop.over.path)} appends={part.trim() !== ''} />
        )}
      </div>
    </div>
  );
}
