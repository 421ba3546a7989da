import { RangeSetBuilder } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  type EditorView,
  ViewPlugin,
  type ViewUpdate,
  WidgetType,
} from '@codemirror/view';
import { findFirstOf } from '../model/draft/first-of.ts';

/**
 * Shows a first-of (`{{a|b}}`), written as one tag or as sections, as its paths with "or" between them while the editor
 * has no focus.
 */
export const alternatives = ViewPlugin.define(
  (view) => ({
    marks: marksOf(view),
    update(update: ViewUpdate) {
      if (update.docChanged || update.focusChanged) this.marks = marksOf(update.view);
    },
  }),
  { decorations: ({ marks }: { marks: DecorationSet }) => marks },
);

function marksOf(view: EditorView): DecorationSet {
  const marks = new RangeSetBuilder<Decoration>();
  if (view.hasFocus) return marks.finish();
  for (const { from, to, paths } of findFirstOf(view.state.doc.toString())) {
    marks.add(from, to, Decoration.replace({ widget: new Alternatives(paths) }));
  }
  return marks.finish();
}

class Alternatives extends WidgetType {
  readonly #paths: readonly string[];

  constructor(paths: readonly string[]) {
    super();
    this.#paths = paths;
  }

  override eq(other: Alternatives): boolean {
    return other.#paths.join('\n') === this.#paths.join('\n');
  }

  toDOM(): HTMLElement {
    const whole = document.createElement('span');
    for (const [number, path] of this.#paths.entries()) {
      if (number > 0) whole.append(textIn('cm-or', ' or '));
      const chip = textIn('cm-chip', '');
      chip.append(path.replace(/^webhook\./, ''));
      whole.append(chip);
    }
    return whole;
  }

  override ignoreEvent(): boolean {
    return false;
  }
}

function textIn(className: string, text: string): HTMLElement {
  const element = document.createElement('span');
  element.className = className;
  element.textContent = text;
  return element;
}
