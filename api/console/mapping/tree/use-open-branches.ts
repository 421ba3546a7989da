import { useCallback, useMemo, useState } from 'react';
import type { TreeNode } from '../model/field-tree.ts';
import { countNodes, isInitiallyOpen } from '../model/tree-rows.ts';

/** Tracks which branches are open: the initial ones, and those that the user has toggled. */
export function useOpenBranches(tree: readonly TreeNode[]) {
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
