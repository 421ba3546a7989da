import { CODE_HOSTS } from './code-hosts.js';
import { MESSAGING } from './messaging.js';
import { MONITORING } from './monitoring.js';
import type { SignaturePreset } from './preset.js';
import { STANDARDS } from './standards.js';

export type { SignaturePreset } from './preset.js';

/** All presets, the standards first. */
export const presets: readonly SignaturePreset[] = [
  ...STANDARDS,
  ...[...CODE_HOSTS, ...MONITORING, ...MESSAGING].sort((one, other) => (one.title < other.title ? -1 : 1)),
];

const byName = new Map(presets.map((preset) => [preset.name, preset]));

export const findPreset = (name: string): SignaturePreset | undefined => byName.get(name);
