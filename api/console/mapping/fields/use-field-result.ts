import type { Target } from '../model/draft/alert-fields.ts';
import { type PreviewedField, resultAt } from '../model/previewed.ts';
import { useEditorContext } from '../state/editor-context.tsx';

/** Returns the previewed result of a field, or null while it is not known. */
export const useFieldResult = (target: Target): PreviewedField | null =>
  resultAt(useEditorContext().alert, target);
