import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { expressionPaths, pathsInExpression } from '../expression-editor/expression-paths.ts';
import shared from '../mapping.module.css';
import { type DraftField, fieldAt, targetsOf } from '../model/draft/draft.ts';
import { namesIn } from '../model/draft/tags.ts';
import { buildTree } from '../model/field-tree.ts';
import { visibleRows } from '../model/tree-rows.ts';
import { useEditorContext } from '../state/editor-context.tsx';
import { SplitNote } from './split-note.tsx';
import styles from './tree.module.css';
import { type TreeActions, TreeRowView } from './tree-row.tsx';
import { useOpenBranches } from './use-open-branches.ts';
import { useStableActions } from './use-stable-actions.ts';
import { useTreeKeys } from './use-tree-keys.ts';

/** The fields of the sample payload, to drag or to select. */
export function FieldTree({ hasSample }: { hasSample: boolean }) {
  const { nodes, preview } = useEditorContext();
  const [search, setSearch] = useState('');
  return (
    <>
      <TextInput
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
        <p className={shared.note}>Long lists and very large payloads are truncated.</p>
      )}
    </>
  );
}

function Tree({ search }: { search: string }) {
  const { nodes, selection, mayWrite } = useEditorContext();
  const tree = useMemo(() => buildTree(nodes), [nodes]);
  const branches = useOpenBranches(tree);
  const rows = useMemo(() => visibleRows(tree, branches.isOpen, search), [tree, branches.isOpen, search]);
  const used = useUsedPaths();
  const keys = useTreeKeys(rows, branches.toggle);
  const actions = useStableActions<TreeActions>({
    toggle: ({ node, level }) => branches.toggle(node, level),
    activate: ({ node }) => keys.activate(node.path),
    select: ({ node: { path, label } }, element) =>
      path === selection.selected?.path ? selection.cancel() : selection.select({ path, label }, element),
  });
  if (rows.length === 0) return <p className={shared.note}>No field matches “{search}”.</p>;
  return (
    <div role="tree" aria-label="Payload fields" className={styles.tree} onKeyDown={keys.onKeyDown}>
      {rows.map((row) => (
        <TreeRowView
          key={row.node.path}
          row={row}
          isActive={row.node.path === keys.active}
          isSelected={row.node.path === selection.selected?.path}
          isUsed={used.has(row.node.path)}
          maySelect={mayWrite && row.node.pickable}
          actions={actions}
        />
      ))}
    </div>
  );
}

/** Returns the paths that a template, an expression or the filter uses. */
function useUsedPaths(): ReadonlySet<string> {
  const { draft, nodes } = useEditorContext();
  const readable = useMemo(() => expressionPaths(nodes), [nodes]);
  return useMemo(() => {
    const inField = ({ template, expression }: DraftField) =>
      expression === undefined ? namesIn(template) : pathsInExpression(expression, readable);
    const inFields = targetsOf(draft).flatMap((target) => inField(fieldAt(draft, target)));
    return new Set([...inFields, ...pathsInExpression(draft.filter, readable)]);
  }, [draft, readable]);
}

const NoFields = ({ isLoading }: { isLoading: boolean }) => (
  <p className={shared.note} role="status">
    {isLoading ? 'Loading the payload…' : 'No payload yet.'}
  </p>
);
