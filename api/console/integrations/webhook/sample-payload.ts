import { tabStorage } from '../../settings/storage.ts';

/** The sample payload of an integration without a template, used for its mapping and its test. */
export const GENERIC_SAMPLE = {
  title: 'High CPU on web-01',
  severity: 'critical',
  description: 'CPU above 90% for 5 minutes',
  source: 'monitoring',
  service: 'checkout',
  environment: 'production',
  team: 'payments',
  host: { name: 'web-01', region: 'eu-west-1' },
  tags: ['env:production', 'service:checkout'],
  value: 93.5,
};

/** The sessionStorage name of an integration's sample payload. sessionStorage ends with the tab. */
const storageName = (webhookId: string): string => `muster.paste.${webhookId}`;

/**
 * Returns the payload that was last edited on the test page or pasted on the mapping page, as text.
 * Returns null if there is none.
 */
export const lastSample = (webhookId: string): string | null =>
  tabStorage.getItem(storageName(webhookId)) || null;

/** Keeps a payload for the integration's other pages. A payload that is too large for sessionStorage is not kept. */
export function keepSample(webhookId: string, text: string): void {
  try {
    tabStorage.setItem(storageName(webhookId), text);
  } catch {
    tabStorage.removeItem(storageName(webhookId));
  }
}
