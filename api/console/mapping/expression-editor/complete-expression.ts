import { autocompletion, type Completion, type CompletionContext } from '@codemirror/autocomplete';
import type { Extension } from '@codemirror/state';
import type { FieldNode } from '../model/field-tree.ts';
import { expressionPaths } from './expression-paths.ts';

/** A path or the start of one before the cursor. */
const PATH = /(?<![\w.\]"'])[A-Za-z_](?:[\w.]|\[(?:\d+|"[^"]*")\])*(?:\[(?:\d*|"[^"]*"?))?$/;
const SHOWN_SAMPLE = 40;

/** Functions that are offered besides the paths. The page of the documentation lists all. */
const FUNCTIONS: readonly Completion[] = [
  { label: 'has(', detail: 'whether a path exists' },
  { label: 'size(', detail: 'length of a text or list' },
  { label: 'first(', detail: 'the first value that exists' },
];

/** Completes the payload's paths, as expressions write them. */
export const completeExpression = (nodes: () => readonly FieldNode[]): Extension =>
  autocompletion({
    override: [(context) => complete(context, nodes())],
    icons: false,
    // Limited, so that the list never scrolls out of the keyboard's reach.
    maxRenderedOptions: 10,
  });

function complete(context: CompletionContext, nodes: readonly FieldNode[]) {
  const start = context.matchBefore(PATH);
  if (!start && !context.explicit) return null;
  const paths = expressionPaths(nodes).map(
    ({ path, written, sample }): Completion => ({
      // What is typed is compared with the simpler form: `webhook.k8s` finds `webhook["k8s-app"]`.
      label: path,
      displayLabel: written,
      apply: written,
      detail: sample.length > SHOWN_SAMPLE ? `${sample.slice(0, SHOWN_SAMPLE)}…` : sample,
    }),
  );
  return { from: start?.from ?? context.pos, options: [...paths, ...FUNCTIONS], validFor: PATH };
}
