import { EditorState, type Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

/**
 * Creates an editor in a shadow root, where CodeMirror's styles are adopted style sheets. As style elements of the page
 * they would be blocked by its content security policy (`style-src 'self'`). Calls `onChange` with each new text.
 */
export function createTextEditor(
  host: HTMLElement,
  { value, extensions, onChange }: { value: string; extensions: Extension; onChange: (text: string) => void },
): EditorView {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  const parent = document.createElement('div');
  root.replaceChildren(parent);
  const listener = EditorView.updateListener.of((update) => {
    if (update.docChanged) onChange(update.state.doc.toString());
  });
  return new EditorView({
    root,
    parent,
    state: EditorState.create({ doc: value, extensions: [extensions, listener] }),
  });
}

/** Sets a text from outside as one step that can be undone. Does nothing if the editor has this text already. */
export function setText(view: EditorView, text: string): void {
  const before = view.state.doc.toString();
  if (text === before) return;
  // Inserts only the new part, so that the cursor and the undo history stay correct.
  const change = text.startsWith(before)
    ? { from: before.length, insert: text.slice(before.length) }
    : { from: 0, to: before.length, insert: text };
  view.dispatch({ changes: change, selection: { anchor: text.length } });
}
