import { createContext, use } from 'react';
import type { ErrorDetail } from '../../http/request-failure.ts';
import type { Webhook } from '../../http/types.ts';
import type { Target } from '../model/draft/alert-fields.ts';
import type { FieldNode } from '../model/field-tree.ts';
import type { PreviewedAlert } from '../model/previewed.ts';
import type { DraftState } from './use-draft.ts';
import type { Picking } from './use-field-picking.ts';
import type { PreviewState } from './use-preview.ts';

/** All that the parts of the mapping page share. */
export interface EditorContext extends DraftState {
  webhook: Webhook;
  /** False: the key may look, and change nothing. */
  mayWrite: boolean;
  preview: PreviewState & { again(): void };
  /** Over the newest stored events; null preview: there are none, or it is not known yet. */
  lastEvents: PreviewState & { again(): void };
  /** What templates can say of the sample. */
  nodes: readonly FieldNode[];
  /** The alert that results are shown of; null: the sample makes none. */
  alert: PreviewedAlert | null;
  fieldErrors: ReadonlyMap<string, ErrorDetail[]>;
  picking: Picking;
  /** Opens a field's value map, with a row begun for a value. */
  editValues(target: Target, from?: string): void;
}

const Context = createContext<EditorContext | null>(null);
export const EditorProvider = Context.Provider;

export function useEditorContext(): EditorContext {
  const editor = use(Context);
  if (!editor) throw new Error('There is no mapping page around this.');
  return editor;
}
