import { EditorState, type Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

interface TextEditor {
  value: string;
  extensions: Extension;
  /** Called with each new text. */
  onChange(text: string): void;
  /** Called with each new position of the cursor, after the editor had the focus for the first time. */
  onCursor(position: number): void;
}

/**
 * Creates an editor in a shadow root, where CodeMirror's styles are adopted style sheets. As style elements of the page
 * they would be blocked by its content security policy (`style-src 'self'`).
 */
export function createTextEditor(host: HTMLElement, options: TextEditor): EditorView {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  const parent = document.createElement('div');
  root.replaceChildren(parent);
  let hadFocus = false;
  const listener = EditorView.updateListener.of(({ docChanged, state, view }) => {
    hadFocus ||= view.hasFocus;
    if (docChanged) options.onChange(state.doc.toString());
    if (hadFocus) options.onCursor(state.selection.main.head);
  });
  return new EditorView({
    root,
    parent,
    state: EditorState.create({ doc: options.value, extensions: [options.extensions, listener] }),
  });
}

/** Sets a text from outside as one step that can be undone. Does nothing if the editor has this text already. */
export function setText(view: EditorView, text: string): void {
  const before = view.state.doc.toString();
  if (text === before) return;
  // Replaces only the part that differs, so that the cursor and the undo history stay correct.
  const from = commonStart(before, text);
  const kept = commonEnd(before, text, Math.min(before.length, text.length) - from);
  const insert = text.slice(from, text.length - kept);
  view.dispatch({
    changes: { from, to: before.length - kept, insert },
    selection: { anchor: from + insert.length },
  });
}

function commonStart(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}

function commonEnd(one: string, other: string, most: number): number {
  let length = 0;
  while (length < most && one.at(-1 - length) === other.at(-1 - length)) length += 1;
  return length;
}
