import { Compartment } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import type { FieldNode } from '../model/field-tree.ts';
import { alternatives } from './alternatives.ts';
import { chips } from './chips.ts';
import { completePaths } from './complete-paths.ts';
import { editingBehavior } from './editing-behavior.ts';
import { editorTheme } from './editor-theme.ts';
import { createTextEditor, setText } from './text-editor.ts';

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

function createEditor(host: HTMLElement, latest: { current: TemplateEditorProps }) {
  const { label, value, multiline, readOnly } = latest.current;
  const marked = new Compartment();
  const view = createTextEditor(host, {
    value,
    extensions: [
      editingBehavior({ label: `${label} template`, multiline, readOnly }),
      editorTheme(multiline),
      marked.of(chips(new Set())),
      alternatives,
      completePaths(() => latest.current.nodes),
    ],
    onChange: (text) => text !== latest.current.value && latest.current.onChange(text),
  });
  return { view, marked };
}
