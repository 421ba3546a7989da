import { notify } from '../parts/feedback/notify.tsx';
import type { BrowserSetting } from '../settings/browser-setting.ts';

/** Changes a setting. Says so if the browser does not remember it. */
export function changeSetting(setting: BrowserSetting, isSet: boolean): void {
  if (setting.set(isSet)) return;
  notify({
    text: 'The browser could not store your choice, because its storage is full or blocked. It applies to this tab until you reload the page.',
    isWarning: true,
  });
}
