import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import shared from '../mapping.module.css';
import { fieldAt, targetsOf } from '../model/draft/draft.ts';
import { namesIn } from '../model/draft/tags.ts';
import { buildTree } from '../model/field-tree.ts';
import { visibleRows } from '../model/tree-rows.ts';
import { useEditorContext } from '../state/editor-context.tsx';
import { SplitNote } from './split-note.tsx';
import styles from './tree.module.css';
import { type TreeActions, TreeRowView } from './tree-row.tsx';
import { useOpenBranches } from './use-open-branches.ts';
import { useSteady } from './use-steady.ts';
import { useTreeKeys } from './use-tree-keys.ts';

/** The sample's fields, to be dragged or picked. */
export function FieldTree({ hasSample }: { hasSample: boolean }) {
  const { nodes, preview } = useEditorContext();
  const [search, setSearch] = useState('');
  return (
    <>
      <TextInput
        size="xs"
        aria-label="Search fields"
        placeholder="Search fields…"
        leftSection={<IconSearch size={14} />}
        value={search}
        onChange={({ currentTarget }) => setSearch(currentTarget.value)}
      />
      <SplitNote />
      {nodes.length > 0 ? <Tree search={search} /> : <NoFields waiting={hasSample && preview.isBehind} />}
      {preview.preview?.fields?.truncated && (
        <p className={shared.note}>Long lists and very large payloads are shown in part.</p>
      )}
    </>
  );
}

function Tree({ search }: { search: string }) {
  const { nodes, picking, mayWrite } = useEditorContext();
  const tree = useMemo(() => buildTree(nodes), [nodes]);
  const branches = useOpenBranches(tree);
  const rows = useMemo(() => visibleRows(tree, branches.isOpen, search), [tree, branches.isOpen, search]);
  const used = useUsedPaths();
  const keys = useTreeKeys(rows, branches.toggle);
  const actions = useSteady<TreeActions>({
    toggle: ({ node, level }) => branches.toggle(node, level),
    activate: ({ node }) => keys.activate(node.path),
    pick: ({ node: { path, label } }, element) =>
      path === picking.picked?.path ? picking.cancel() : picking.pick({ path, label }, element),
  });
  if (rows.length === 0) return <p className={shared.note}>No field is called or holds “{search}”.</p>;
  return (
    <div role="tree" aria-label="Payload fields" className={styles.tree} onKeyDown={keys.onKeyDown}>
      {rows.map((row) => (
        <TreeRowView
          key={row.node.path}
          row={row}
          isActive={row.node.path === keys.active}
          isPicked={row.node.path === picking.picked?.path}
          isUsed={used.has(row.node.path)}
          mayPick={mayWrite && row.node.pickable}
          actions={actions}
        />
      ))}
    </div>
  );
}

function useUsedPaths(): ReadonlySet<string> {
  const { draft } = useEditorContext();
  return useMemo(
    () => new Set(targetsOf(draft).flatMap((target) => namesIn(fieldAt(draft, target).template))),
    [draft],
  );
}

const NoFields = ({ waiting }: { waiting: boolean }) => (
  <p className={shared.note} role="status">
    {waiting ? 'Reading the payload…' : 'No payload to draw on yet.'}
  </p>
);
