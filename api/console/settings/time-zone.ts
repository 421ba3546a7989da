import { fullTime } from '../text/times.ts';
import { browserSetting } from './browser-setting.ts';

/** Whether times are shown in UTC instead of the time zone of the browser. */
export const utcSetting = browserSetting('muster.utc');

/** Returns the time zone in which times are shown; undefined for that of the browser. */
export const useTimeZone = (): 'UTC' | undefined => (utcSetting.use() ? 'UTC' : undefined);

/** Returns a function that returns a full time in the chosen time zone. */
export function useFullTime(): (at: string) => string {
  const zone = useTimeZone();
  return (at) => fullTime(at, zone);
}

/** Returns the name of the browser's time zone, such as `Europe/Vienna`. */
export const browserZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;
