import { useMay } from '../http/use-current-key.ts';
import { ManagedNote } from '../parts/managed-note.tsx';
import { useChangeWebhook } from './settings/use-change-webhook.ts';
import type { TabName } from './tab-code.ts';
import type { TabProps } from './webhook/tab-props.ts';

/** The tabs that change what a file has. */
const CHANGING: readonly TabName[] = ['mapping', 'heartbeats', 'settings'];

/** Says where the file of an integration is kept, before somebody changes it by hand. */
export function ManagedByFiles({ webhook, tab }: TabProps & { tab: TabName }) {
  const may = useMay('webhooks:write');
  const { mutate, isPending, error } = useChangeWebhook(webhook.id);
  if (!CHANGING.includes(tab)) return null;
  const run = () =>
    mutate({ method: 'PATCH', json: { managedBy: null }, done: 'No longer managed by files' });
  return (
    <ManagedNote
      managedBy={webhook.managedBy}
      what="Its settings and mapping"
      stop={may && tab === 'settings' ? { run, isPending } : undefined}
      error={error}
    />
  );
}
