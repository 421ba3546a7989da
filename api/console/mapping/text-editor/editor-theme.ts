import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

/** Returns the editor's styles. The theme's CSS variables are inherited into the shadow root. */
export const editorTheme = (multiline: boolean, kind: 'text' | 'code' = 'text'): Extension => [
  base,
  multiline ? tall : [],
  kind === 'code' ? code : [],
];

const tall = EditorView.theme({ '.cm-content': { minHeight: '3.1rem' } });

const code = EditorView.theme({
  '.cm-scroller': { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: '0.84rem' },
  '.cm-wrong': { textDecoration: 'underline wavy var(--bad)', textUnderlineOffset: '0.2em' },
});

const base = EditorView.theme({
  '&': {
    border: '1px solid var(--line)',
    borderRadius: 'var(--mantine-radius-md)',
    backgroundColor: 'var(--mantine-color-body)',
    color: 'var(--mantine-color-text)',
    fontSize: '0.9rem',
  },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-1px' },
  // Limits the height of long chains of alternatives.
  '.cm-scroller': {
    maxHeight: '7.6rem',
    overflowY: 'auto',
    fontFamily: 'var(--mantine-font-family)',
    lineHeight: '1.5',
  },
  '.cm-content': {
    minHeight: '2.2rem',
    padding: '0.38rem 0.25rem',
    caretColor: 'var(--mantine-color-text)',
    overflowWrap: 'anywhere',
  },
  '.cm-chip': {
    padding: '0.08rem 0.2rem',
    borderRadius: 'var(--mantine-radius-sm)',
    backgroundColor: 'var(--ground)',
    boxShadow: 'inset 0 0 0 1px var(--line)',
    fontFamily: 'var(--mantine-font-family-monospace)',
    fontSize: '0.8rem',
  },
  '.cm-or': { color: 'var(--mantine-color-dimmed)', fontSize: '0.8rem' },
  '.cm-chip-section': { fontStyle: 'italic' },
  '.cm-chip-missing': { backgroundColor: 'var(--bad-ground)', color: 'var(--bad)' },
  '.cm-faint': { color: 'var(--mantine-color-dimmed)', fontSize: '0.72rem' },
  '&:not(.cm-focused) .cm-syntax': { display: 'none' },
  '.cm-tooltip': {
    zIndex: '40',
    maxWidth: 'min(34rem, 92vw)',
    border: '1px solid var(--line)',
    borderRadius: 'var(--mantine-radius-md)',
    backgroundColor: 'var(--mantine-color-body)',
    color: 'var(--mantine-color-text)',
    boxShadow: 'var(--mantine-shadow-md)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    maxHeight: 'none',
    overflow: 'hidden',
    maxWidth: 'min(34rem, 92vw)',
    fontFamily: 'var(--mantine-font-family-monospace)',
    fontSize: '0.8rem',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '0.25rem 0.5rem' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--accent-ground)',
    color: 'var(--mantine-color-text)',
  },
  '.cm-completionMatchedText': { color: 'var(--accent)', textDecoration: 'none', fontWeight: '700' },
  '.cm-completionDetail': { color: 'var(--mantine-color-dimmed)', fontStyle: 'normal' },
});
