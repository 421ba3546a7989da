import { lazy, Suspense, useRef } from 'react';
import { useEditorContext } from '../editor-context.tsx';
import { isRequired, labelOf, type Target } from '../model/draft/alert-fields.ts';
import { fieldAt } from '../model/draft/draft.ts';
import { CustomName } from './custom-name.tsx';
import { DropHint } from './drop-hint.tsx';
import { FieldOptions } from './field-options.tsx';
import own from './fields.module.css';
import { InsertButton } from './insert-button.tsx';
import { FieldResultLine } from './result-line.tsx';
import { useDropPlace } from './use-drop-place.ts';
import { useFieldResult } from './use-field-result.ts';

/** Loaded by itself: it is the largest part of the page. */
const TemplateEditor = lazy(() => import('../editor/template-editor.tsx'));

/** A field of the alert: what fills it, and what that comes to. A payload's field can be dropped on it. */
export function FieldRow({ target }: { target: Target }) {
  const { draft, dispatch, mayWrite, nodes, picking } = useEditorContext();
  const element = useRef<HTMLFieldSetElement>(null);
  const drop = useDropPlace(element, target);
  const result = useFieldResult(target);
  const { template } = fieldAt(draft, target);
  const label = labelOf(target);
  return (
    <fieldset ref={element} className={own.row} data-dragging={drop.isDragging} aria-label={label}>
      <div className={own.head} inert={picking.picked !== null}>
        {target.startsWith('custom.') && mayWrite ? (
          <CustomName name={label} />
        ) : (
          <span className={own.label}>
            {label} {isRequired(target) && <Required />}
          </span>
        )}
        <FieldOptions target={target} />
      </div>
      <div className={own.body}>
        <div className={own.place}>
          <div inert={picking.picked !== null}>
            <Suspense fallback={<div className={own.waiting}>{template}</div>}>
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
          {picking.picked && <InsertButton place={target} picked={picking.picked} filled={template !== ''} />}
          {drop.over && <DropHint field={drop.over} filled={template.trim() !== ''} />}
        </div>
        <FieldResultLine target={target} />
      </div>
    </fieldset>
  );
}

const Required = () => (
  <span className={own.required} title="required">
    *<span className={own.hidden}> required</span>
  </span>
);
