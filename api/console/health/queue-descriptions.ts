import type { Health } from '../http/types.ts';

/** What each queue is for, in display order. */
export const QUEUE_DESCRIPTIONS: Readonly<Record<string, string>> = {
  'alert-intake': 'Events',
  'alert-intake-bulk': 'Events of integrations that send a lot',
  'identity-import': 'Uploads up to 8 MB and changes of single identities',
  'identity-import-large': 'Uploads above 8 MB',
  'identity-revert': 'Reverts of imports',
  'identity-apply': 'Plans of dry runs that are applied',
  'identity-export': 'Exports of identities',
  'identity-worklist': 'Worklists',
  'alert-export': 'Exports of alerts',
  'event-export': 'Exports of events',
  'alert-remap': 'Remaps of alerts',
  'alert-refold': 'Refolds of alerts',
  'alert-resolve': 'Alerts that people resolve',
  'message-replay': 'Messages to destinations that are sent again',
  'table-upload': 'Uploads of lookup tables up to 8 MB',
  'table-upload-large': 'Uploads of lookup tables above 8 MB',
  'table-export': 'Downloads of lookup tables',
  upkeep: 'Scheduled maintenance',
};

/** Returns the queues in the order above; unknown queues come last. */
export function sortQueues(queues: Health['queues']): Health['queues'] {
  const names = Object.keys(QUEUE_DESCRIPTIONS);
  const place = ({ queue }: Health['queues'][number]) =>
    (names.indexOf(queue) + names.length + 1) % (names.length + 1);
  return [...queues].sort((a, b) => place(a) - place(b));
}
