import { useRef } from 'react';
import type { FieldNode } from '../model/field-tree.ts';
import { editingBehavior } from '../text-editor/editing-behavior.ts';
import { editorTheme } from '../text-editor/editor-theme.ts';
import { useTextEditor } from '../text-editor/use-text-editor.ts';
import { completeExpression } from './complete-expression.ts';
import { type ErrorPlace, errorMarks } from './error-marks.ts';

interface ExpressionEditorProps {
  /** The accessible name. */
  label: string;
  value: string;
  onChange(value: string): void;
  /** Called with the position of the cursor; null when the editor is gone. */
  onCursor?(position: number | null): void;
  readOnly: boolean;
  /** The payload fields for completion. */
  nodes: readonly FieldNode[];
  /** Where the expression is invalid. */
  errors: readonly ErrorPlace[];
}

/** A text editor for a CEL expression, with completion of the payload's paths. Underlines errors. */
export default function ExpressionEditor(props: ExpressionEditorProps) {
  const { label, value, onChange, onCursor, readOnly, errors } = props;
  const nodes = useRef(props.nodes);
  nodes.current = props.nodes;
  const host = useTextEditor({
    value,
    onChange,
    onCursor,
    extensions: () => [
      editingBehavior({ label, multiline: true, readOnly }),
      editorTheme(false, 'code'),
      completeExpression(() => nodes.current),
    ],
    marks: { key: JSON.stringify(errors), extension: () => errorMarks(errors) },
  });
  return <div ref={host} data-testid={label} />;
}
