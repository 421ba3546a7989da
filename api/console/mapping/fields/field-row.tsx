import { useRef } from 'react';
import { DropHint } from '../insert/drop-hint.tsx';
import { InsertButton } from '../insert/insert-button.tsx';
import { useDropTarget } from '../insert/use-drop-target.ts';
import { isRequired, labelOf, type Target } from '../model/draft/alert-fields.ts';
import { fieldAt, sourceOf } from '../model/draft/draft.ts';
import { useEditorContext } from '../state/editor-context.tsx';
import { CustomName } from './custom-name.tsx';
import { FieldOptions } from './field-options.tsx';
import { FieldSource } from './field-source.tsx';
import styles from './fields.module.css';
import { MappingWarnings } from './mapping-warnings.tsx';
import { FieldResultLine } from './result-line.tsx';

/**
 * One alert field with its template or expression and its result. Payload fields can be dropped on it. `about` explains a field whose
 * label does not.
 */
export function FieldRow({ target, about }: { target: Target; about?: string }) {
  const { draft, mayWrite, selection, insertedText, cursorOf, brokenOf } = useEditorContext();
  const element = useRef<HTMLFieldSetElement>(null);
  const drop = useDropTarget(element, target);
  const source = sourceOf(fieldAt(draft, target)).trimEnd();
  // Without a cursor in the text, a field is appended.
  const appends = source !== '' && (cursorOf(target) ?? source.length) >= source.length;
  const replaces = brokenOf(target);
  const label = labelOf(target);
  return (
    <fieldset ref={element} className={styles.row} data-dragging={drop.isDragging} aria-label={label}>
      <div className={styles.head} inert={selection.selected !== null}>
        {target.startsWith('custom.') && mayWrite ? (
          <CustomName name={label} />
        ) : (
          <span className={styles.label}>
            {label} {isRequired(target) && <Required />}
          </span>
        )}
        <FieldOptions target={target} />
      </div>
      <div className={styles.body}>
        {about && <p className={styles.about}>{about}</p>}
        <div className={styles.place}>
          <div inert={selection.selected !== null}>
            <FieldSource target={target} />
          </div>
          {selection.selected && (
            <InsertButton
              place={target}
              selected={selection.selected}
              appends={appends}
              replaces={replaces}
            />
          )}
          {drop.over && (
            <DropHint
              field={drop.over}
              text={insertedText(target, drop.over.path)}
              appends={appends}
              replaces={replaces}
            />
          )}
        </div>
        <FieldResultLine target={target} />
        <MappingWarnings place={target} />
      </div>
    </fieldset>
  );
}

const Required = () => (
  <span className={styles.required} title="required">
    *<span className={styles.hidden}> required</span>
  </span>
);
