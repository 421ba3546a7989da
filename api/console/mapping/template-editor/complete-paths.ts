import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete';
import type { Extension } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { splitFirstOf } from '../model/draft/split-first-of.ts';
import type { FieldNode } from '../model/field-tree.ts';

/** An open tag before the cursor: `{{`, and what follows: the mark of a section, and the name so far. */
const OPEN_TAG = /\{\{\{?[^{}]*$/;
const OPEN_MARK = /^\{\{\{?\s*[#^&]?\s*/;

const SHOWN_SAMPLE = 40;

/** Completes the payload's paths after `{{`, and after each `|` of a first-of. */
export const completePaths = (nodes: () => readonly FieldNode[]): Extension =>
  autocompletion({
    override: [(context) => complete(context, nodes())],
    icons: false,
    // Limited, so that the list never scrolls out of the keyboard's reach.
    maxRenderedOptions: 10,
  });

function complete(context: CompletionContext, nodes: readonly FieldNode[]): CompletionResult | null {
  const tag = context.matchBefore(OPEN_TAG);
  if (!tag) return null;
  const options = nodes.filter(({ pickable }) => pickable).map(toCompletion);
  return { from: tag.from + pathStart(tag.text), options, validFor: /^[^{}|]*$/ };
}

const toCompletion = ({ path, sample }: FieldNode): Completion => ({
  label: path,
  detail: sample.length > SHOWN_SAMPLE ? `${sample.slice(0, SHOWN_SAMPLE)}…` : sample,
  apply: insertPath,
});

/** Returns where the path that is being typed starts in a tag that is not closed yet. */
function pathStart(tag: string): number {
  const mark = OPEN_MARK.exec(tag)?.[0] ?? '';
  const last = splitFirstOf(tag.slice(mark.length)).at(-1) as string;
  return tag.length - last.trimStart().length;
}

/** Writes the path, and the braces that close its tag unless they are there or another alternative follows. */
function insertPath(view: EditorView, { label }: Completion, from: number, to: number): void {
  const next = /^\s*(\}\}|\|)/.exec(view.state.sliceDoc(to, to + 10))?.[1];
  const insert = next === undefined ? `${label}}}` : label;
  view.dispatch({
    changes: { from, to, insert },
    selection: { anchor: from + insert.length + (next === '}}' ? 2 : 0) },
    userEvent: 'input.complete',
  });
}
