import { browserSetting } from './browser-setting.ts';

/** Whether shortcuts that are a single key are off. Speech input and trembling hands press such keys by accident. */
export const singleKeysOff = browserSetting('muster.single-keys-off');
