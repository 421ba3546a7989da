import { Menu } from '@mantine/core';
import { browserZone, utcSetting } from '../../settings/time-zone.ts';
import { changeSetting } from '../change-setting.ts';

const LOCAL = 'local';
const UTC = 'UTC';

/** The menu items that choose the time zone of all times in the console. */
export const TimeZoneItems = () => (
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
