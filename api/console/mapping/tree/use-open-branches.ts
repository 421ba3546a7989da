import { useCallback, useMemo, useState } from 'react';
import type { TreeNode } from '../model/field-tree.ts';
import { countNodes, isOpenAtFirst } from '../model/tree-rows.ts';

/** Which branches are open: as at first, until somebody says otherwise. */
export function useOpenBranches(tree: readonly TreeNode[]) {
  const [said, setSaid] = useState<ReadonlyMap<string, boolean>>(new Map());
  const fields = useMemo(() => countNodes(tree), [tree]);
  const isOpen = useCallback(
    (node: TreeNode, level: number) => said.get(node.path) ?? isOpenAtFirst(node, level, fields),
    [said, fields],
  );
  const toggle = useCallback(
    (node: TreeNode, level: number) =>
      setSaid((before) => new Map(before).set(node.path, !isOpen(node, level))),
    [isOpen],
  );
  return { isOpen, toggle };
}
