import { Compartment } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import type { FieldNode } from '../model/field-tree.ts';
import { editingBehavior } from '../template-editor/editing-behavior.ts';
import { editorTheme } from '../template-editor/editor-theme.ts';
import { createTextEditor, setText } from '../template-editor/text-editor.ts';
import { completeExpression } from './complete-expression.ts';
import { type ErrorPlace, errorMarks } from './error-marks.ts';

interface ExpressionEditorProps {
  /** The accessible name. */
  label: string;
  value: string;
  onChange(value: string): void;
  readOnly: boolean;
  /** The payload fields for completion. */
  nodes: readonly FieldNode[];
  /** Where the expression is invalid. */
  errors: readonly ErrorPlace[];
}

/** A text editor for a CEL expression, with completion of the payload's paths. Underlines errors. */
export default function ExpressionEditor(props: ExpressionEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  latest.current = props;
  const editor = useRef<{ view: EditorView; marked: Compartment } | null>(null);
  // The label and the other options never change while an expression is mounted.
  useEffect(() => {
    if (!host.current) return;
    const { label, value, readOnly } = latest.current;
    const marked = new Compartment();
    const view = createTextEditor(host.current, {
      value,
      extensions: [
        editingBehavior({ label, multiline: true, readOnly }),
        editorTheme(false, 'code'),
        marked.of([]),
        completeExpression(() => latest.current.nodes),
      ],
      onChange: (text) => text !== latest.current.value && latest.current.onChange(text),
    });
    editor.current = { view, marked };
    return () => {
      view.destroy();
      editor.current = null;
    };
  }, []);
  useEffect(() => {
    if (editor.current) setText(editor.current.view, props.value);
  }, [props.value]);
  const errors = JSON.stringify(props.errors);
  useEffect(() => {
    const { view, marked } = editor.current ?? {};
    view?.dispatch({ effects: marked?.reconfigure(errorMarks(JSON.parse(errors))) ?? [] });
  }, [errors]);
  return <div ref={host} data-testid={props.label} />;
}
