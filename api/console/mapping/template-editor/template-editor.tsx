import { useRef } from 'react';
import type { FieldNode } from '../model/field-tree.ts';
import { editingBehavior } from '../text-editor/editing-behavior.ts';
import { editorTheme } from '../text-editor/editor-theme.ts';
import { useTextEditor } from '../text-editor/use-text-editor.ts';
import { alternatives } from './alternatives.ts';
import { chips } from './chips.ts';
import { completePaths } from './complete-paths.ts';

interface TemplateEditorProps {
  /** The label of the field. */
  label: string;
  value: string;
  onChange(value: string): void;
  /** Called with the position of the cursor; null when the editor is gone. */
  onCursor(position: number | null): void;
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
  const { label, value, onChange, onCursor, multiline, readOnly, missing } = props;
  const nodes = useRef(props.nodes);
  nodes.current = props.nodes;
  const host = useTextEditor({
    value,
    onChange,
    onCursor,
    extensions: () => [
      editingBehavior({ label: `${label} template`, multiline, readOnly }),
      editorTheme(multiline),
      alternatives,
      completePaths(() => nodes.current),
    ],
    marks: { key: missing.join('\n'), extension: () => chips(new Set(missing)) },
  });
  return <div ref={host} data-testid={`template of ${label}`} />;
}
