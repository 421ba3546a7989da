import { useEffect, useState } from 'react';
import { lazyPart } from '../../parts/feedback/lazy-part.tsx';
import { labelOf, type Target } from '../model/draft/alert-fields.ts';
import { fieldAt, sourceOf } from '../model/draft/draft.ts';
import { placesOf } from '../model/errors-by-field.ts';
import { useEditorContext } from '../state/editor-context.tsx';
import styles from './fields.module.css';
import { useFieldResult } from './use-field-result.ts';

/** Loaded separately because they are the largest part of the page, and templates early because each mapping has some. */
const TemplateEditor = lazyPart(() => import('../template-editor/template-editor.tsx'));
const ExpressionEditor = lazyPart(() => import('../expression-editor/expression-editor.tsx'));
TemplateEditor.load().catch(() => {});

/** The editor of a field's template or expression. */
export function FieldSource({ target }: { target: Target }) {
  const { draft, dispatch, mayWrite, nodes, fieldErrors, noteCursor } = useEditorContext();
  const result = useFieldResult(target);
  const field = fieldAt(draft, target);
  const label = labelOf(target);
  const placeholder = <div className={styles.waiting}>{sourceOf(field)}</div>;
  const isMounted = useDeferredMount(
    (field.expression === undefined ? TemplateEditor : ExpressionEditor).load,
  );
  if (!isMounted) return placeholder;
  return field.expression === undefined ? (
    <TemplateEditor
      placeholder={placeholder}
      label={label}
      value={field.template}
      onChange={(template) => dispatch({ type: 'change', target, change: { template } })}
      onCursor={(position) => noteCursor(target, position)}
      multiline={target === 'fields.description'}
      readOnly={!mayWrite}
      nodes={nodes}
      missing={result?.missing.map(({ path }) => path) ?? []}
    />
  ) : (
    <ExpressionEditor
      placeholder={placeholder}
      label={`${label} expression`}
      value={field.expression}
      onChange={(expression) => dispatch({ type: 'change', target, change: { expression } })}
      onCursor={(position) => noteCursor(target, position)}
      readOnly={!mayWrite}
      nodes={nodes}
      errors={placesOf(fieldErrors.get(target) ?? [])}
    />
  );
}

/** What waits to be mounted, in the order in which it came. */
const waiting = new Set<() => void>();

/** Mounts the first one, and each other one in a task of its own. */
function mountNext(): void {
  const [first] = waiting;
  if (!first) return;
  waiting.delete(first);
  first();
  if (waiting.size > 0) setTimeout(mountNext);
}

/**
 * Returns true once this component may be mounted. A mapping has many editors, and the page would not respond while all of them are
 * created in one task.
 * @param load loads what the component needs, before it waits
 */
function useDeferredMount(load: () => Promise<void>): boolean {
  const [isMounted, setMounted] = useState(false);
  useEffect(() => {
    let isGone = false;
    const take = () => setMounted(true);
    const wait = () => {
      if (isGone) return;
      waiting.add(take);
      if (waiting.size === 1) setTimeout(mountNext);
    };
    load().then(wait, wait);
    return () => {
      isGone = true;
      waiting.delete(take);
    };
  }, [load]);
  return isMounted;
}
