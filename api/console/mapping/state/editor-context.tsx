import { createContext, use } from 'react';
import type { ErrorDetail } from '../../http/request-failure.ts';
import type { Webhook } from '../../http/types.ts';
import type { Target } from '../model/draft/alert-fields.ts';
import type { FieldNode } from '../model/field-tree.ts';
import type { PreviewedAlert } from '../model/previewed.ts';
import type { Sample } from '../sample/use-sample.ts';
import type { DraftState } from './use-draft.ts';
import type { FieldSelection, KeyPlace } from './use-field-selection.ts';
import type { PreviewState } from './use-preview.ts';

/** The state that all parts of the mapping page share. */
export interface EditorContext extends DraftState {
  webhook: Webhook;
  /** False if the key can only view the mapping. */
  mayWrite: boolean;
  /** False if the key cannot read stored events, so that they cannot be previewed. */
  mayReadEvents: boolean;
  sample: Sample;
  preview: PreviewState & { reload(): void };
  /** False while the preview and the fields are still those of the sample that was chosen before. */
  isOfSample: boolean;
  /** The preview over the newest stored events. Its `preview` is null while loading. */
  lastEvents: PreviewState & { reload(): void };
  /** The fields of the sample payload that templates can refer to. */
  nodes: readonly FieldNode[];
  /** The alert whose results are shown; null if the sample creates none. */
  alert: PreviewedAlert | null;
  /** Whether the integration has no mapping and nothing has been entered yet. Then an empty field is not an error. */
  isUntouched: boolean;
  fieldErrors: ReadonlyMap<string, ErrorDetail[]>;
  selection: FieldSelection;
  /** Returns what inserting a path adds to a field or a key: a tag, or the path as an expression writes it. Null if none can read it. */
  insertedText(place: Target | KeyPlace, path: string): string | null;
  /** Returns where the cursor of an editor is; undefined if the user has not been in it. */
  cursorOf(place: Target | KeyPlace): number | undefined;
  /** Returns the broken tag of a field's template that a payload field replaces; null if it is inserted. */
  brokenOf(target: Target): string | null;
  /** Null: the editor is gone. */
  noteCursor(place: Target | KeyPlace, position: number | null): void;
  /** Opens a field's value map, with a new row for each given value that it lacks. */
  editValues(target: Target, from?: readonly string[]): void;
}

const Context = createContext<EditorContext | null>(null);
export const EditorProvider = Context.Provider;

export function useEditorContext(): EditorContext {
  const editor = use(Context);
  if (!editor) throw new Error('useEditorContext must be called inside an EditorProvider.');
  return editor;
}
