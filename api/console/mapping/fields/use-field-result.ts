import type { Target } from '../model/draft/alert-fields.ts';
import type { PreviewedField } from '../model/previewed.ts';
import { useEditorContext } from '../state/editor-context.tsx';

/** Returns the previewed result of a field, or null while it is not known. */
export function useFieldResult(target: Target): PreviewedField | null {
  const { alert } = useEditorContext();
  const name = target.slice(target.indexOf('.') + 1);
  const results = target.startsWith('custom.') ? alert?.custom : alert?.fields;
  return results && Object.hasOwn(results, name) ? (results[name] as PreviewedField) : null;
}
