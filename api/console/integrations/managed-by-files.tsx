import { Alert, Anchor, Button, Group } from '@mantine/core';
import { useMay } from '../http/use-current-key.ts';
import { Failure } from '../parts/feedback/failure.tsx';
import { useChangeWebhook } from './settings/use-change-webhook.ts';
import type { TabName } from './tab-code.ts';
import type { TabProps } from './webhook/tab-props.ts';

/** The tabs that change what a file has. */
const CHANGING: readonly TabName[] = ['mapping', 'heartbeats', 'settings'];

/** Says where the file of an integration is kept, before somebody changes it by hand. */
export function ManagedByFiles({ webhook, tab }: TabProps & { tab: TabName }) {
  const may = useMay('webhooks:write');
  const { mutate, isPending, error } = useChangeWebhook(webhook.id);
  const { managedBy } = webhook;
  if (managedBy === null || !CHANGING.includes(tab)) return null;
  const stop = () =>
    mutate({ method: 'PATCH', json: { managedBy: null }, done: 'No longer managed by files' });
  return (
    <Alert color="yellow" mb="md" title="Managed by files" role="note">
      <Group justify="space-between" align="flex-start">
        <div>
          Its settings and mapping come from a file in <Place text={managedBy} />. Change them there: what you
          save here differs from the file until somebody takes it over with <code>muster export</code>, or
          replaces it with the next plan.
        </div>
        {may && tab === 'settings' && (
          <Button size="xs" variant="default" onClick={stop} loading={isPending}>
            Stop managing by files
          </Button>
        )}
      </Group>
      {error && <Failure error={error} title="Could not save" />}
    </Alert>
  );
}

/** Only an address of the web is a link: a client wrote the text. */
function Place({ text }: { text: string }) {
  const isAddress = /^https?:\/\/[^\s]+$/.test(text);
  return isAddress ? (
    <Anchor
      inherit
      underline="always"
      href={text}
      target="_blank"
      rel="noopener noreferrer"
      style={{ overflowWrap: 'anywhere' }}
    >
      {text}
    </Anchor>
  ) : (
    <b style={{ overflowWrap: 'anywhere' }}>{text}</b>
  );
}
