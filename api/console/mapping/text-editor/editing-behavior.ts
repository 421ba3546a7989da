import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';

interface Options {
  /** The accessible name. */
  label: string;
  multiline: boolean;
  readOnly: boolean;
}

/** Returns the extensions for typing a template or an expression. Tab moves to the next control, as everywhere on the page. */
export function editingBehavior({ label, multiline, readOnly }: Options): Extension {
  return [
    history(),
    multiline ? [] : oneLine,
    keymap.of([...historyKeymap, ...defaultKeymap]),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({
      'aria-label': label,
      'aria-multiline': String(multiline),
      spellcheck: 'false',
      autocapitalize: 'off',
    }),
    readOnly ? [EditorState.readOnly.of(true), EditorView.editable.of(false), focusable] : [],
  ];
}

/** Ignores Enter and joins pasted lines. Line breaks of a saved template stay. */
const oneLine: Extension = [
  keymap.of([{ key: 'Enter', run: () => true, shift: () => true }]),
  EditorView.clipboardInputFilter.of((text) => text.replace(/(?<!\s)\s*\n\s*/g, ' ')),
];

/** Makes a read-only text focusable, so that it can be copied. */
const focusable = EditorView.contentAttributes.of({
  tabindex: '0',
  role: 'textbox',
  'aria-readonly': 'true',
});
