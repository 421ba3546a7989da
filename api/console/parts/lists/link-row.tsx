import { Anchor, type AnchorProps } from '@mantine/core';
import type { MouseEvent, ReactNode } from 'react';
import { Link, useSearch } from 'wouter';
import { ROW_LINK } from '../../shell/shortcuts/step.ts';
import styles from './link-row.module.css';
import { Table } from './table.tsx';

/** Elements that do something else when they are clicked. */
const OWN = 'a, button, input, select, label, summary';
const LEFT = 0;
const MIDDLE = 1;

/**
 * A row that opens its `RowLink` wherever it is clicked: in a new tab with Ctrl, ⌘ or the middle button. Its text can still be selected,
 * which a link over the whole row would prevent.
 */
export function LinkRow({ children }: { children: ReactNode }) {
  const open = (event: MouseEvent<HTMLElement>) => {
    const link = event.currentTarget.querySelector<HTMLAnchorElement>(`a[${ROW_LINK}]`);
    if (!link || isOwn(event)) return;
    const isHeld = event.ctrlKey || event.metaKey || event.shiftKey;
    if (event.button === MIDDLE || (event.button === LEFT && isHeld))
      window.open(link.href, '_blank', 'noopener');
    else if (event.button === LEFT && !isSelecting(event.currentTarget)) link.click();
  };
  return (
    <Table.Tr className={styles.row} onClick={open} onAuxClick={open} onMouseDown={preventScrolling}>
      {children}
    </Table.Tr>
  );
}

interface RowLinkProps extends AnchorProps {
  href: string;
  /** Filters that the address of the list does not contain. */
  more?: Record<string, string>;
  children: ReactNode;
}

/** The link of a `LinkRow`, which is reached with Tab, `j` and `k`. It keeps the filters of the list, for the way to the next row. */
export function RowLink({ href, more, ...props }: RowLinkProps) {
  const search = new URLSearchParams(useSearch());
  for (const [name, value] of Object.entries(more ?? {})) search.set(name, value);
  const address = search.size === 0 ? href : `${href}?${search}`;
  return <Anchor component={Link} href={address} size="sm" {...props} {...{ [ROW_LINK]: true }} />;
}

const isOwn = ({ target }: MouseEvent): boolean => target instanceof Element && target.closest(OWN) !== null;

/** Returns whether the user has selected text in the row with the mouse. */
function isSelecting(row: HTMLElement): boolean {
  const selection = window.getSelection();
  return selection !== null && !selection.isCollapsed && selection.containsNode(row, true);
}

/** The middle button would start to scroll. */
const preventScrolling = (event: MouseEvent): void => {
  if (event.button === MIDDLE && !isOwn(event)) event.preventDefault();
};
