import { Alert, Button, Group, Text } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { requestJson } from '../../http/request.ts';
import { RequestFailure } from '../../http/request-failure.ts';
import type { One } from '../../http/types.ts';
import { type Entry, useChange } from '../../http/use-change.ts';
import { Failure } from '../feedback/failure.tsx';
import styles from './save-section.module.css';

/** Settings that several people may change. */
interface Settings {
  revision: number;
  savedBy: { name: string } | null;
}

/**
 * Saves one section of the settings, unless somebody else has changed this section since the form was opened: then `theirs` is
 * the entry as they saved it. A change of another section does not matter.
 *
 * @param partOf returns the section's properties of an entry
 */
export function useSaveEntry<Data extends Settings>(
  entry: Entry,
  current: Data,
  partOf: (data: Data) => unknown,
) {
  const [started, setStarted] = useState(current);
  const [theirs, setTheirs] = useState<Data | null>(null);
  const cache = useQueryClient();
  const [error, setError] = useState<unknown>(null);
  const { mutateAsync, isPending, isSuccess } = useChange<Data>(entry);
  const isSame = (one: Data, other: Data) => JSON.stringify(partOf(one)) === JSON.stringify(partOf(other));
  const attempt = async (json: object, done: string, from: Data): Promise<void> => {
    if (!isSame(current, from)) return setTheirs(current);
    const save = (revision: number) => mutateAsync({ method: 'PATCH', json, done, revision });
    const { data } = await save(current.revision).catch(async (failure: unknown) => {
      if (!(failure instanceof RequestFailure) || failure.currentRevision === null) throw failure;
      const response = await requestJson<One<Data>>(entry.path);
      cache.setQueryData(entry.queryKey, response);
      const newest = response.data;
      if (isSame(newest, from)) return save(newest.revision);
      setTheirs(newest);
      return { data: null };
    });
    if (data !== null) setStarted(data);
  };
  const start = (json: object, done: string, from: Data) => {
    setTheirs(null);
    // The mutation's own error would show for a moment although the change is sent again.
    setError(null);
    attempt(json, done, from).catch(setError);
  };
  return {
    save: (json: object, done: string) => start(json, done, started),
    /** Saves although somebody else has changed the section. */
    replace: (newer: Data, json: object, done: string) => start(json, done, newer),
    /** Goes on from what somebody else saved. The form must show it. */
    accept: (newer: Data) => {
      setStarted(newer);
      setTheirs(null);
    },
    theirs,
    isPending,
    isSuccess: isSuccess && theirs === null,
    error,
  };
}

interface OvertakenProps<Data> {
  /** The entry as somebody else has saved it; null if nobody has. */
  theirs: Data | null;
  /** Describes the section of an entry, and what the form has. */
  describe(data: NoInfer<Data>): string;
  yours: string;
  take(theirs: NoInfer<Data>): void;
  keep(theirs: NoInfer<Data>): void;
}

/** Shows what somebody else saved in this section while the form was open. Nothing was overwritten. */
export function Overtaken<Data extends Settings>({
  theirs,
  describe,
  yours,
  take,
  keep,
}: OvertakenProps<Data>) {
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
