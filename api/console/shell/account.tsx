import { ActionIcon, Button, Menu, useMantineColorScheme } from '@mantine/core';
import { IconContrast, IconLogout } from '@tabler/icons-react';
import { useCurrentKey } from '../http/use-current-key.ts';
import { signOut } from '../session/session.ts';
import { QuickAccess } from './quick-access.tsx';
import styles from './shell.module.css';
import { TimeZoneItems } from './time-zone-items.tsx';

/** The palette, the color scheme menu, and the menu of the signed-in key. */
export function Account() {
  return (
    <div className={styles.account}>
      <QuickAccess />
      <ColorScheme />
      <KeyMenu />
    </div>
  );
}

function ColorScheme() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const names = { auto: 'System', light: 'Light', dark: 'Dark' };
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label="Color scheme">
          <IconContrast size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {(['auto', 'light', 'dark'] as const).map((one) => (
          <Menu.Item key={one} onClick={() => setColorScheme(one)} fw={one === colorScheme ? 700 : 400}>
            {names[one]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function KeyMenu() {
  const { data: key } = useCurrentKey();
  const role = key?.scopes.includes('admin') ? ' · admin' : '';
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="subtle" color="gray" size="compact-sm">
          {key ? `${key.name}${role}` : 'Key'}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{key?.scopes.join(', ')}</Menu.Label>
        <TimeZoneItems />
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => signOut()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
