import type { Extension, Text } from '@codemirror/state';
import { Decoration, EditorView } from '@codemirror/view';

/** The position of an error in an expression, as the API reports it. */
export interface ErrorPlace {
  /** From 1. */
  line: number;
  /** From 1. */
  column: number;
  message: string;
}

/** Underlines the word at which each error is. */
export const errorMarks = (errors: readonly ErrorPlace[]): Extension =>
  EditorView.decorations.of((view) => {
    const marks = errors.flatMap((error) => {
      const range = rangeOf(view.state.doc, error);
      const mark = Decoration.mark({ class: 'cm-wrong', attributes: { title: error.message } });
      return range ? [mark.range(...range)] : [];
    });
    return Decoration.set(marks, true);
  });

/** Returns where the word of an error starts and ends. At the end of the text, it is the last character. */
function rangeOf(doc: Text, { line, column }: ErrorPlace): [number, number] | null {
  if (line > doc.lines || doc.length === 0) return null;
  const { from, text } = doc.line(line);
  const word = /^(?:\w+|\W)/.exec(text.slice(column - 1))?.[0];
  if (word) return [from + column - 1, from + column - 1 + word.length];
  return text.length > 0 ? [from + text.length - 1, from + text.length] : null;
}
