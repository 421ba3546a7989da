import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useCallback, useDeferredValue, useMemo, useRef, useState } from 'react';
import {
  type ExpressionPath,
  expressionPaths,
  pathsInExpression,
} from '../expression-editor/expression-paths.ts';
import shared from '../mapping.module.css';
import { type DraftField, fieldAt, targetsOf } from '../model/draft/draft.ts';
import { keyPartsOf } from '../model/draft/lookups.ts';
import { namesIn } from '../model/draft/tags.ts';
import { buildTree, type TreeNode } from '../model/field-tree.ts';
import { countNodes, isInitiallyOpen, type TreeRow, visibleRows } from '../model/tree-rows.ts';
import { useEditorContext } from '../state/editor-context.tsx';
import { SplitNote } from './split-note.tsx';
import styles from './tree.module.css';
import { type TreeActions, TreeRowView } from './tree-row.tsx';
import { useRowWindow } from './use-row-window.ts';
import { useTreeKeys } from './use-tree-keys.ts';

/** The fields of the sample payload, to drag or to select. */
export function FieldTree({ hasSample }: { hasSample: boolean }) {
  const { nodes, preview } = useEditorContext();
  const [search, setSearch] = useState('');
  return (
    <>
      <TextInput
        type="search"
        size="xs"
        aria-label="Search fields"
        placeholder="Search fields"
        leftSection={<IconSearch size={14} />}
        value={search}
        onChange={({ currentTarget }) => setSearch(currentTarget.value)}
      />
      <SplitNote />
      {nodes.length > 0 ? <Tree search={search} /> : <NoFields isLoading={hasSample && preview.isLoading} />}
      {preview.preview?.fields?.truncated && (
        <p className={shared.note}>The first 5 elements of each list are shown, and at most 20,000 fields.</p>
      )}
    </>
  );
}

function Tree({ search }: { search: string }) {
  const { nodes, selection, mayWrite, isOfSample } = useEditorContext();
  const tree = useMemo(() => buildTree(nodes), [nodes]);
  const branches = useOpenBranches(tree);
  // Typing stays quick while the matches in a large payload are looked for.
  const query = useDeferredValue(search);
  const rows = useMemo(() => visibleRows(tree, branches.isOpen, query), [tree, branches.isOpen, query]);
  const used = useUsedPaths();
  const keys = useTreeKeys(rows, branches.toggle);
  const { element, items, height } = useRowWindow(rows.length, keys.at);
  const actions = useStableActions<TreeActions>({
    toggle: ({ node, level }) => branches.toggle(node, level),
    activate: ({ node }) => keys.activate(node.path),
    select: ({ node: { path, label } }, element, byKey) =>
      path === selection.selected?.path
        ? selection.cancel()
        : selection.select({ path, label }, element, byKey),
  });
  if (rows.length === 0) return <p className={shared.note}>No field matches “{query}”.</p>;
  return (
    <div
      ref={element}
      role="tree"
      aria-label="Payload fields"
      aria-busy={!isOfSample}
      className={styles.tree}
      onKeyDown={keys.onKeyDown}
    >
      <div role="none" className={styles.rows} style={{ height }}>
        {items.map(({ index, start }) => {
          const row = rows[index] as TreeRow;
          return (
            <TreeRowView
              key={row.node.path}
              row={row}
              top={start}
              isActive={row.node.path === keys.active}
              isSelected={row.node.path === selection.selected?.path}
              isUsed={used.has(row.node.path)}
              maySelect={mayWrite && isOfSample && row.node.pickable}
              actions={actions}
            />
          );
        })}
      </div>
    </div>
  );
}

/** Returns the paths that a template, an expression, the key of a lookup or the filter uses. */
function useUsedPaths(): ReadonlySet<string> {
  const { draft, nodes } = useEditorContext();
  return useMemo(() => {
    let readable: ExpressionPath[] | null = null;
    const inExpression = (expression: string) => {
      if (expression.trim() === '') return [];
      readable ??= expressionPaths(nodes);
      return pathsInExpression(expression, readable);
    };
    const inField = ({ template, expression }: DraftField) =>
      expression === undefined ? namesIn(template) : inExpression(expression);
    const inFields = targetsOf(draft).flatMap((target) => inField(fieldAt(draft, target)));
    const inKeys = draft.lookups
      .flatMap(({ lookup }) => keyPartsOf(lookup))
      .flatMap((part) => (typeof part === 'string' ? namesIn(part) : inExpression(part.expression)));
    return new Set([...inFields, ...inKeys, ...inExpression(draft.filter)]);
  }, [draft, nodes]);
}

const NoFields = ({ isLoading }: { isLoading: boolean }) => (
  <p className={shared.note} role="status">
    {isLoading ? 'Loading the payload…' : 'No payload yet.'}
  </p>
);

/** Tracks which branches are open: the initial ones, and those that the user has toggled. */
function useOpenBranches(tree: readonly TreeNode[]) {
  const [toggled, setToggled] = useState<ReadonlyMap<string, boolean>>(new Map());
  const fields = useMemo(() => countNodes(tree), [tree]);
  const isOpen = useCallback(
    (node: TreeNode, level: number) => toggled.get(node.path) ?? isInitiallyOpen(node, level, fields),
    [toggled, fields],
  );
  const toggle = useCallback(
    (node: TreeNode, level: number) =>
      setToggled((before) => new Map(before).set(node.path, !isOpen(node, level))),
    [isOpen],
  );
  return { isOpen, toggle };
}

type Actions = Record<string, (...args: never[]) => void>;

/** Returns an object that never changes. Each call goes to the latest function of that name. */
function useStableActions<Given extends { [Name in keyof Given]: (...args: never[]) => void }>(
  actions: Given,
): Given {
  const latest = useRef(actions);
  latest.current = actions;
  const stable = useRef<Given>(undefined);
  stable.current ??= Object.fromEntries(
    Object.keys(actions).map((name) => [
      name,
      (...args: never[]) => (latest.current as Actions)[name]?.(...args),
    ]),
  ) as Given;
  return stable.current;
}
