import { Menu, useMantineColorScheme } from '@mantine/core';
import { PopupMenu } from '../../parts/popups/popup-menu.tsx';
import type { Popup } from '../../parts/popups/use-popup.ts';

const NAMES = { auto: 'System', light: 'Light', dark: 'Dark' };

export default function ColorSchemeMenu({ popup }: { popup: Popup }) {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <PopupMenu popup={popup}>
      {(['auto', 'light', 'dark'] as const).map((one) => (
        <Menu.Item key={one} onClick={() => setColorScheme(one)} fw={one === colorScheme ? 700 : 400}>
          {NAMES[one]}
        </Menu.Item>
      ))}
    </PopupMenu>
  );
}
