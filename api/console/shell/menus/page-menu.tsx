import { Menu } from '@mantine/core';
import { Link } from 'wouter';
import { PopupMenu } from '../../parts/popups/popup-menu.tsx';
import type { Popup } from '../../parts/popups/use-popup.ts';
import type { Page } from '../pages.ts';

interface PageMenuProps {
  popup: Popup;
  pages: readonly (Page & { isCurrent: boolean })[];
}

/** The navigation of a phone. */
export default function PageMenu({ popup, pages }: PageMenuProps) {
  return (
    <PopupMenu popup={popup} position="bottom-start" width="12rem">
      {pages.map(({ path, name, isCurrent }) => (
        <Menu.Item
          key={path}
          component={Link}
          href={path}
          fw={isCurrent ? 700 : 400}
          py="sm"
          aria-current={isCurrent ? 'page' : undefined}
        >
          {name}
        </Menu.Item>
      ))}
    </PopupMenu>
  );
}
