import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';

interface Options {
  label: string;
  multiline: boolean;
  readOnly: boolean;
}

/** How a template is typed. Tab goes on to the next control, as everywhere on the page. */
export function editing({ label, multiline, readOnly }: Options): Extension {
  return [
    history(),
    multiline ? [] : oneLine,
    keymap.of([...historyKeymap, ...defaultKeymap]),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({
      'aria-label': `${label} template`,
      'aria-multiline': String(multiline),
      spellcheck: 'false',
      autocapitalize: 'off',
    }),
    readOnly ? [EditorState.readOnly.of(true), EditorView.editable.of(false), focusable] : [],
  ];
}

/** Enter makes no line, and what is pasted is joined to one; lines that a saved template has already stay. */
const oneLine: Extension = [
  keymap.of([{ key: 'Enter', run: () => true, shift: () => true }]),
  EditorView.clipboardInputFilter.of((text) => text.replace(/\s*\r?\n\s*/g, ' ')),
];

/** What cannot be edited can still be gone to and copied from. */
const focusable = EditorView.contentAttributes.of({
  tabindex: '0',
  role: 'textbox',
  'aria-readonly': 'true',
});
