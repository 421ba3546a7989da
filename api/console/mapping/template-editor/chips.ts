import type { Extension } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  type EditorView,
  MatchDecorator,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view';
import { splitFirstOf } from '../model/draft/split-first-of.ts';

const TAG = /(\{\{\{?)([^{}]*)(\}\}\}?)/g;

/** What stands before the name that a chip shows: the mark of a section, and the root of the payload. */
const BEFORE_NAME = /^(\s*[#^/&!]?\s*)((?:webhook\.)?)/;

const chip = Decoration.mark({ class: 'cm-chip' });
const missingChip = Decoration.mark({ class: 'cm-chip cm-chip-missing' });
const section = Decoration.mark({ class: 'cm-chip cm-chip-section' });
const faint = Decoration.mark({ class: 'cm-faint' });
/** Shown while the text is edited only. */
const syntax = Decoration.mark({ class: 'cm-faint cm-syntax' });

/**
 * Styles tags as chips, in another color if their paths have no value. They stay plain text; their braces and the root
 * show only while the editor has the focus.
 */
export function chips(missing: ReadonlySet<string>): Extension {
  const matcher = new MatchDecorator({
    regexp: TAG,
    decorate: (add, from, to, [, braces = '', inner = '', closing = '']) => {
      const [before = '', mark = '', root = ''] = BEFORE_NAME.exec(inner) ?? [];
      const name = inner.slice(before.length).trimEnd();
      add(from, to, chipFor(mark, root + name, missing));
      const hidden = name === '' ? faint : syntax;
      const marks = [
        [braces, hidden],
        [mark, faint],
        [root, hidden],
      ] as const;
      let at = from;
      for (const [{ length }, look] of marks) {
        if (length > 0) add(at, at + length, look);
        at += length;
      }
      const end = inner.slice(before.length + name.length) + closing;
      add(to - end.length, to, hidden);
    },
  });
  return ViewPlugin.define((view) => new Chips(view, matcher), { decorations: ({ marks }) => marks });
}

function chipFor(mark: string, path: string, missing: ReadonlySet<string>): Decoration {
  if (splitFirstOf(path).every((one) => missing.has(one.trim()))) return missingChip;
  return /[#^/!]/.test(mark) ? section : chip;
}

class Chips {
  marks: DecorationSet;
  readonly #matcher: MatchDecorator;

  constructor(view: EditorView, matcher: MatchDecorator) {
    this.#matcher = matcher;
    this.marks = matcher.createDeco(view);
  }

  update(update: ViewUpdate): void {
    this.marks = this.#matcher.updateDeco(update, this.marks);
  }
}
