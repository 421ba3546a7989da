import { Compartment, EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import type { FieldNode } from '../model/field-tree.ts';
import { alternatives } from './alternatives.ts';
import { chips } from './chips.ts';
import { completePaths } from './complete-paths.ts';
import { editingBehavior } from './editing-behavior.ts';
import { editorTheme } from './editor-theme.ts';

interface TemplateEditorProps {
  /** The label of the field. */
  label: string;
  value: string;
  onChange(value: string): void;
  /** Whether Enter inserts a line break. */
  multiline: boolean;
  readOnly: boolean;
  /** The payload fields for completion. */
  nodes: readonly FieldNode[];
  /** Paths without a value. */
  missing: readonly string[];
}

/** A text editor for a template, with tags styled as chips and completion of the payload's paths. */
export default function TemplateEditor(props: TemplateEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  latest.current = props;
  const editor = useRef<{ view: EditorView; marked: Compartment } | null>(null);
  // The label and the other options never change while a field is mounted.
  useEffect(() => {
    if (!host.current) return;
    editor.current = createEditor(host.current, latest);
    return () => {
      editor.current?.view.destroy();
      editor.current = null;
    };
  }, []);
  useEffect(() => {
    if (editor.current) setText(editor.current.view, props.value);
  }, [props.value]);
  const missing = props.missing.join('\n');
  useEffect(() => {
    const { view, marked } = editor.current ?? {};
    view?.dispatch({ effects: marked?.reconfigure(chips(new Set(missing.split('\n')))) ?? [] });
  }, [missing]);
  return <div ref={host} data-testid={`template of ${props.label}`} />;
}

/**
 * Creates the editor in a shadow root, where CodeMirror's styles are adopted style sheets. As style elements of the page
 * they would be blocked by its content security policy (`style-src 'self'`).
 */
function createEditor(host: HTMLElement, latest: { current: TemplateEditorProps }) {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  const parent = document.createElement('div');
  root.replaceChildren(parent);
  const { label, value, multiline, readOnly } = latest.current;
  const marked = new Compartment();
  const view = new EditorView({
    root,
    parent,
    state: EditorState.create({
      doc: value,
      extensions: [
        editingBehavior({ label, multiline, readOnly }),
        editorTheme(multiline),
        marked.of(chips(new Set())),
        alternatives,
        completePaths(() => latest.current.nodes),
        EditorView.updateListener.of((update) => {
          const text = update.state.doc.toString();
          if (update.docChanged && text !== latest.current.value) latest.current.onChange(text);
        }),
      ],
    }),
  });
  return { view, marked };
}

/** Sets a text from outside as one step that can be undone. Does nothing if the editor has this text already. */
function setText(view: EditorView, text: string): void {
  const before = view.state.doc.toString();
  if (text === before) return;
  // Inserts only the new part, so that the cursor and the undo history stay correct.
  const change = text.startsWith(before)
    ? { from: before.length, insert: text.slice(before.length) }
    : { from: 0, to: before.length, insert: text };
  view.dispatch({ changes: change, selection: { anchor: text.length } });
}
