import { Menu } from '@mantine/core';
import { IconLogout } from '@tabler/icons-react';
import type { ApiKey } from '../../http/types.ts';
import { PopupMenu } from '../../parts/popups/popup-menu.tsx';
import type { Popup } from '../../parts/popups/use-popup.ts';
import { signOut } from '../../session/session.ts';
import { browserZone, utcSetting } from '../../settings/time-zone.ts';
import { changeSetting } from '../change-setting.ts';

/** The menu of the signed-in key: its scopes, the time zone, and how to sign out. */
export default function KeyMenu({ popup, scopes }: { popup: Popup; scopes: ApiKey['scopes'] }) {
  return (
    <PopupMenu popup={popup} position="bottom-end">
      <Menu.Label>{scopes.join(', ')}</Menu.Label>
      <TimeZoneItems />
      <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => signOut()}>
        Sign out
      </Menu.Item>
    </PopupMenu>
  );
}

const LOCAL = 'local';
const UTC = 'UTC';

/** The menu items that choose the time zone of all times in the console. */
const TimeZoneItems = () => (
  <>
    <Menu.Label>Time zone</Menu.Label>
    <Menu.RadioGroup
      value={utcSetting.use() ? UTC : LOCAL}
      onChange={(zone) => changeSetting(utcSetting, zone === UTC)}
    >
      <Menu.RadioItem value={LOCAL}>Local time ({browserZone()})</Menu.RadioItem>
      <Menu.RadioItem value={UTC}>UTC</Menu.RadioItem>
    </Menu.RadioGroup>
    <Menu.Divider />
  </>
);
