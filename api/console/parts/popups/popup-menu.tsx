import { Menu, type MenuProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { PopupButton, useIsOpen } from './popup-button.tsx';
import type { Popup } from './use-popup.ts';

interface PopupMenuProps extends Pick<MenuProps, 'position' | 'width'> {
  popup: Popup;
  children: ReactNode;
}

/** A menu next to its button. `children` are its items. */
export function PopupMenu({ popup, children, ...menu }: PopupMenuProps) {
  return (
    <Menu {...menu} id={popup.id} opened={useIsOpen(popup)} onChange={popup.setOpen}>
      <Menu.Target>
        <PopupButton popup={popup} />
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}
