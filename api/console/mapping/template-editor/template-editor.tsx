import { Compartment, EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import type { FieldNode } from '../model/field-tree.ts';
import { alternatives } from './alternatives.ts';
import { chips } from './chips.ts';
import { completePaths } from './complete-paths.ts';
import { editing } from './editing-behavior.ts';
import { look } from './editor-theme.ts';

interface TemplateEditorProps {
  /** What it is the template of. */
  label: string;
  value: string;
  onChange(value: string): void;
  /** Whether Enter makes a line. */
  multiline: boolean;
  readOnly: boolean;
  /** What can be completed. */
  nodes: readonly FieldNode[];
  /** Paths that find nothing. */
  missing: readonly string[];
}

/** A template as text whose tags look like chips, with completion of the payload's paths. */
export default function TemplateEditor(props: TemplateEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  latest.current = props;
  const editor = useRef<{ view: EditorView; marked: Compartment } | null>(null);
  // The label and the like never change while a field is there.
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
 * In a shadow root, where CodeMirror's styles are adopted style sheets: as elements of the page they would be refused by
 * its policy (`style-src 'self'`).
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
        editing({ label, multiline, readOnly }),
        look(multiline),
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

/** Takes a text from outside as one step that can be undone; what is being typed is left alone. */
function setText(view: EditorView, text: string): void {
  const before = view.state.doc.toString();
  if (text === before) return;
  // Only what is new changes, so that the cursor and the history stay right.
  const change = text.startsWith(before)
    ? { from: before.length, insert: text.slice(before.length) }
    : { from: 0, to: before.length, insert: text };
  view.dispatch({ changes: change, selection: { anchor: text.length } });
}
