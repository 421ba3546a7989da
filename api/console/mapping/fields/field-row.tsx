import { lazy, Suspense, useRef } from 'react';
import { DropHint } from '../insert/drop-hint.tsx';
import { InsertButton } from '../insert/insert-button.tsx';
import { useDropTarget } from '../insert/use-drop-target.ts';
import { isRequired, labelOf, type Target } from '../model/draft/alert-fields.ts';
import { fieldAt } from '../model/draft/draft.ts';
import { useEditorContext } from '../state/editor-context.tsx';
import { CustomName } from './custom-name.tsx';
import { FieldOptions } from './field-options.tsx';
import styles from './fields.module.css';
import { FieldResultLine } from './result-line.tsx';
import { useFieldResult } from './use-field-result.ts';

/** Loaded separately because it is the largest part of the page. */
const TemplateEditor = lazy(() => import('../template-editor/template-editor.tsx'));

/** One alert field with its template and its result. Payload fields can be dropped on it. */
export function FieldRow({ target }: { target: Target }) {
  const { draft, dispatch, mayWrite, nodes, selection } = useEditorContext();
  const element = useRef<HTMLFieldSetElement>(null);
  const drop = useDropTarget(element, target);
  const result = useFieldResult(target);
  const { template } = fieldAt(draft, target);
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
        <div className={styles.place}>
          <div inert={selection.selected !== null}>
            <Suspense fallback={<div className={styles.waiting}>{template}</div>}>
              <TemplateEditor
                label={label}
                value={template}
                onChange={(text) => dispatch({ type: 'change', target, change: { template: text } })}
                multiline={target === 'fields.description'}
                readOnly={!mayWrite}
                nodes={nodes}
                missing={result?.missing.map(({ path }) => path) ?? []}
              />
            </Suspense>
          </div>
          {selection.selected && (
            <InsertButton place={target} selected={selection.selected} filled={template !== ''} />
          )}
          {drop.over && <DropHint field={drop.over} filled={template.trim() !== ''} />}
        </div>
        <FieldResultLine target={target} />
      </div>
    </fieldset>
  );
}

const Required = () => (
  <span className={styles.required} title="required">
    *<span className={styles.hidden}> required</span>
  </span>
);
