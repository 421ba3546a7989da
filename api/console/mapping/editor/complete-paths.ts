import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete';
import type { Extension } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import type { FieldNode } from '../model/field-tree.ts';

/** Behind `{{`, and a section's mark, up to the cursor. */
const OPEN_TAG = /\{\{\{?\s*[#^&]?\s*[^{}]*$/;
const OPEN_MARK = /^\{\{\{?\s*[#^&]?\s*/;

const SHOWN_SAMPLE = 40;

/** Offers the payload's paths behind `{{`. */
export const completePaths = (nodes: () => readonly FieldNode[]): Extension =>
  autocompletion({
    override: [(context) => complete(context, nodes())],
    icons: false,
    // In pages, so that nothing scrolls that no key reaches.
    maxRenderedOptions: 10,
  });

function complete(context: CompletionContext, nodes: readonly FieldNode[]): CompletionResult | null {
  const tag = context.matchBefore(OPEN_TAG);
  if (!tag) return null;
  const mark = OPEN_MARK.exec(tag.text)?.[0] ?? '';
  const options = nodes.filter(({ pickable }) => pickable).map(toCompletion);
  return { from: tag.from + mark.length, options, validFor: /^[^{}]*$/ };
}

const toCompletion = ({ path, sample }: FieldNode): Completion => ({
  label: path,
  detail: sample.length > SHOWN_SAMPLE ? `${sample.slice(0, SHOWN_SAMPLE)}…` : sample,
  apply: insertPath,
});

/** Writes the path, and the braces that close its tag unless they are there. */
function insertPath(view: EditorView, { label }: Completion, from: number, to: number): void {
  const closed = /^\s*\}\}/.test(view.state.sliceDoc(to, to + 10));
  const insert = closed ? label : `${label}}}`;
  view.dispatch({
    changes: { from, to, insert },
    selection: { anchor: from + insert.length + (closed ? 2 : 0) },
    userEvent: 'input.complete',
  });
}
