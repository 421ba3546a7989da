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

/** What stands before the name that a chip shows: the mark of a section, and the root. */
const BEFORE_NAME = /^\s*[#^/&!]?\s*(?:(?:webhook|item)\.)?/;

const chip = Decoration.mark({ class: 'cm-chip' });
const missingChip = Decoration.mark({ class: 'cm-chip cm-chip-missing' });
const section = Decoration.mark({ class: 'cm-chip cm-chip-section' });
const faint = Decoration.mark({ class: 'cm-faint' });

/** Styles tags as chips, in another color if their paths have no value. They stay plain text. */
export function chips(missing: ReadonlySet<string>): Extension {
  const matcher = new MatchDecorator({
    regexp: TAG,
    decorate: (add, from, to, [, braces = '', inner = '', closing = '']) => {
      const open = braces + (BEFORE_NAME.exec(inner)?.[0] ?? '');
      const named = inner.slice(open.length - braces.length);
      const name = named.trimEnd();
      const end = named.slice(name.length) + closing;
      add(from, to, chipFor(open, name, missing));
      add(from, from + open.length, faint);
      add(to - end.length, to, faint);
    },
  });
  return ViewPlugin.define((view) => new Chips(view, matcher), { decorations: ({ marks }) => marks });
}

function chipFor(open: string, name: string, missing: ReadonlySet<string>): Decoration {
  const paths = splitFirstOf(open.replace(/^\{+\s*[#^/&!]?\s*/, '') + name);
  if (paths.every((path) => missing.has(path.trim()))) return missingChip;
  return /[#^/!]/.test(open) ? section : chip;
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
