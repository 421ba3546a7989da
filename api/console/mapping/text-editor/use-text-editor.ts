import { Compartment, type Extension } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { type RefObject, useEffect, useRef } from 'react';
import { createTextEditor, setText } from './text-editor.ts';

interface TextEditorOptions {
  value: string;
  onChange(value: string): void;
  /** Called with the position of the cursor once the user has been in the editor, and with null when the editor is gone. */
  onCursor?: ((position: number | null) => void) | undefined;
  /** Returns what does not change while the editor is mounted. Called once. */
  extensions(): Extension;
  /** Marks in the text. They are replaced when `key` changes. */
  marks: { key: string; extension(): Extension };
}

/** Mounts a text editor into the element of the returned ref and keeps it up to date. */
export function useTextEditor(options: TextEditorOptions): RefObject<HTMLDivElement | null> {
  const host = useRef<HTMLDivElement>(null);
  const latest = useRef(options);
  latest.current = options;
  const editor = useRef<{ view: EditorView; marked: Compartment; key: string } | null>(null);
  useEffect(() => {
    if (!host.current) return;
    const marked = new Compartment();
    const { key, extension } = latest.current.marks;
    const view = createTextEditor(host.current, {
      value: latest.current.value,
      extensions: [marked.of(extension()), latest.current.extensions()],
      onChange: (text) => text !== latest.current.value && latest.current.onChange(text),
      onCursor: (position) => latest.current.onCursor?.(position),
    });
    editor.current = { view, marked, key };
    return () => {
      view.destroy();
      editor.current = null;
      latest.current.onCursor?.(null);
    };
  }, []);
  useEffect(() => {
    if (editor.current) setText(editor.current.view, options.value);
  }, [options.value]);
  const { key } = options.marks;
  useEffect(() => {
    // A new editor has its marks already. Each change measures its layout, and a mapping has many editors.
    if (!editor.current || editor.current.key === key) return;
    const { view, marked } = editor.current;
    view.dispatch({ effects: marked.reconfigure(latest.current.marks.extension()) });
    editor.current.key = key;
  }, [key]);
  return host;
}
