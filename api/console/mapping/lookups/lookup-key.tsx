import { useMemo, useRef } from 'react';
import { lazyPart } from '../../parts/feedback/lazy-part.tsx';
import fields from '../fields/fields.module.css';
import { SourceSwitch } from '../fields/source-switch.tsx';
import { DropHint } from '../insert/drop-hint.tsx';
import { InsertButton } from '../insert/insert-button.tsx';
import { useDropTarget } from '../insert/use-drop-target.ts';
import {
  type KeyPart,
  keyPartsOf,
  type Lookup,
  placeOfPart,
  textOfPart,
  withKeyParts,
} from '../model/draft/lookups.ts';
import { isAppended } from '../model/draft/tags.ts';
import { placesOf } from '../model/errors-by-field.ts';
import { useEditorContext } from '../state/editor-context.tsx';
import styles from './lookups.module.css';

const TemplateEditor = lazyPart(() => import('../template-editor/template-editor.tsx'));
const ExpressionEditor = lazyPart(() => import('../expression-editor/expression-editor.tsx'));

interface LookupKeyProps {
  name: string;
  lookup: Lookup;
  part: KeyPart;
  index: number;
  /** The name of the key column. */
  label: string;
}

/** A part of the key of a lookup: a template or an expression. Payload fields can be dropped on it. */
export function LookupKey({ name, lookup, part, index, label }: LookupKeyProps) {
  const { dispatch, mayWrite, nodes, selection, insertedText, cursorOf, noteCursor, fieldErrors } =
    useEditorContext();
  const element = useRef<HTMLDivElement>(null);
  const place = useMemo(() => ({ lookup: name, part: index }), [name, index]);
  const drop = useDropTarget(element, place);
  const change = (changed: KeyPart) => {
    const parts = keyPartsOf(lookup).map((one, at) => (at === index ? changed : one));
    dispatch({ type: 'changeLookup', name, lookup: withKeyParts(lookup, parts) });
  };
  const switched = useSwitchedPart(part, change);
  const text = textOfPart(part);
  const appends = isAppended(text, cursorOf(place));
  const shownName = `${label} of lookup ${name}`;
  const editor = {
    placeholder: <div className={fields.waiting}>{text}</div>,
    value: text,
    onCursor: (position: number | null) => noteCursor(place, position),
    readOnly: !mayWrite,
    nodes,
  };
  return (
    <div ref={element} className={styles.key} data-dragging={drop.isDragging}>
      <div className={styles.keyHead} inert={selection.selected !== null}>
        <span>{label}</span>
        {mayWrite && <SourceSwitch label={shownName} {...switched} />}
      </div>
      <div className={fields.place}>
        <div inert={selection.selected !== null}>
          {typeof part === 'string' ? (
            <TemplateEditor {...editor} label={shownName} onChange={change} multiline={false} missing={[]} />
          ) : (
            <ExpressionEditor
              {...editor}
              label={`${shownName} expression`}
              onChange={(expression) => change({ expression })}
              errors={placesOf(
                (fieldErrors.get(`lookups.${name}`) ?? []).filter(
                  ({ field }) => field === `lookups.${name}.${placeOfPart(lookup, index)}.expression`,
                ),
              )}
            />
          )}
        </div>
        {selection.selected && <InsertButton place={place} selected={selection.selected} appends={appends} />}
        {drop.over && (
          <DropHint field={drop.over} text={insertedText(place, drop.over.path)} appends={appends} />
        )}
      </div>
    </div>
  );
}

/** Switches a part between a template and an expression. What it was before comes back, as long as the page is open. */
function useSwitchedPart(part: KeyPart, change: (part: KeyPart) => void) {
  const before = useRef<KeyPart>(undefined);
  const isExpression = typeof part !== 'string';
  return {
    isExpression,
    choose: (toExpression: boolean) => {
      const [kept, blank] = [before.current, toExpression ? { expression: '' } : ''];
      before.current = part;
      // After an undo, what it was before may be of the same kind.
      change(kept !== undefined && typeof kept === typeof blank ? kept : blank);
    },
  };
}
