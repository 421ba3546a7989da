import { Alert, Button, Group, Text } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { requestJson } from '../../http/request.ts';
import { RequestFailure } from '../../http/request-failure.ts';
import type { One, Webhook } from '../../http/types.ts';
import { Failure } from '../../parts/feedback/failure.tsx';
import { webhookKey } from '../webhook/use-webhook.ts';
import styles from './settings.module.css';
import { useChangeWebhook } from './use-change-webhook.ts';

/**
 * Saves one section of the settings, unless somebody else has changed this section since the form was opened: then `theirs` is
 * the integration as they saved it. A change of another section does not matter.
 *
 * @param partOf returns the section's properties of an integration
 */
export function useSaveSection(webhook: Webhook, partOf: (webhook: Webhook) => unknown) {
  const [started, setStarted] = useState(webhook);
  const [theirs, setTheirs] = useState<Webhook | null>(null);
  const cache = useQueryClient();
  const [error, setError] = useState<unknown>(null);
  const { mutateAsync, isPending, isSuccess } = useChangeWebhook(webhook.id);
  const isSame = (one: Webhook, other: Webhook) =>
    JSON.stringify(partOf(one)) === JSON.stringify(partOf(other));
  const attempt = async (json: object, done: string, from: Webhook): Promise<void> => {
    if (!isSame(webhook, from)) return setTheirs(webhook);
    const save = (revision: number) => mutateAsync({ method: 'PATCH', json, done, revision });
    const { data } = await save(webhook.revision).catch(async (failure: unknown) => {
      if (!(failure instanceof RequestFailure) || failure.currentRevision === null) throw failure;
      const response = await requestJson<One<Webhook>>(`/v2/webhooks/${webhook.id}`);
      cache.setQueryData(webhookKey(webhook.id), response);
      const newest = response.data;
      if (isSame(newest, from)) return save(newest.revision);
      setTheirs(newest);
      return { data: null };
    });
    if (data !== null) setStarted(data);
  };
  const start = (json: object, done: string, from: Webhook) => {
    setTheirs(null);
    // The mutation's own error would show for a moment although the change is sent again.
    setError(null);
    attempt(json, done, from).catch(setError);
  };
  return {
    save: (json: object, done: string) => start(json, done, started),
    /** Saves although somebody else has changed the section. */
    replace: (newer: Webhook, json: object, done: string) => start(json, done, newer),
    /** Goes on from what somebody else saved. The form must show it. */
    accept: (newer: Webhook) => {
      setStarted(newer);
      setTheirs(null);
    },
    theirs,
    isPending,
    isSuccess: isSuccess && theirs === null,
    error,
  };
}

interface OvertakenProps {
  /** The integration as somebody else has saved it; null if nobody has. */
  theirs: Webhook | null;
  /** Describes the section of an integration, and what the form has. */
  describe(webhook: Webhook): string;
  yours: string;
  take(theirs: Webhook): void;
  keep(theirs: Webhook): void;
}

/** Shows what somebody else saved in this section while the form was open. Nothing was overwritten. */
export function Overtaken({ theirs, describe, yours, take, keep }: OvertakenProps) {
  if (theirs === null) return null;
  const by = theirs.savedBy ? `“${theirs.savedBy.name}”` : 'Somebody else';
  return (
    <Alert color="yellow" role="alert" title={`${by} has changed this meanwhile`}>
      <dl className={styles.versions}>
        <dt>Theirs</dt>
        <dd>{describe(theirs)}</dd>
        <dt>Yours</dt>
        <dd>{yours}</dd>
      </dl>
      <Group gap="xs" mt="xs">
        <Button size="compact-sm" variant="default" onClick={() => take(theirs)}>
          Take theirs
        </Button>
        <Button size="compact-sm" variant="default" onClick={() => keep(theirs)}>
          Keep mine
        </Button>
      </Group>
    </Alert>
  );
}

interface SaveRowProps {
  isChanged: boolean;
  isPending: boolean;
  isSaved: boolean;
  error: unknown;
}

/** The end of a form: the save button, and whether saving succeeded. */
export const SaveRow = ({ isChanged, isPending, isSaved, error }: SaveRowProps) => (
  <>
    {error ? <Failure error={error} title="Could not save" /> : null}
    <Group gap="sm">
      <Button type="submit" disabled={!isChanged} loading={isPending}>
        Save
      </Button>
      {isSaved && !isChanged && (
        <Text size="sm" c="var(--good)">
          <IconCheck size={15} style={{ verticalAlign: '-2px' }} aria-hidden /> Saved
        </Text>
      )}
    </Group>
  </>
);
