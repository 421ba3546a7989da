import { useEffect, useState } from 'react';
import { useSearchParams } from 'wouter';
import { sendFile } from '../../http/send-file.ts';
import { useSendOnce } from '../../http/use-send-once.ts';
import { noteStarted } from '../../jobs/notices/started-jobs.ts';
import { isIntegrationId } from '../list-state.ts';

export interface WorklistOptions {
  /** Empty if it is detected from the file. */
  charset: string;
  escapeFormulas: boolean;
}

export type Worklist = ReturnType<typeof useWorklist>;

/**
 * Returns the chosen account system, file and options, the state of the transfer and the job, and functions that change them. The account system and
 * the job are kept in the page's address.
 */
export function useWorklist() {
  const [search, setSearch] = useSearchParams();
  const [file, setFile] = useState<File | null>(null);
  const [options, setOptions] = useState<WorklistOptions>({ charset: '', escapeFormulas: true });
  /** The share of the file that has been sent, from 0 to 1; null if none is being sent. */
  const [share, setShare] = useState<number | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [aborting, setAborting] = useState<AbortController | null>(null);
  const once = useSendOnce();
  useEffect(() => () => aborting?.abort(), [aborting]);
  const integrationId = search.get('integrationId') ?? '';

  const put = (changes: Record<string, string | null>) =>
    setSearch(
      (before) => {
        for (const [name, value] of Object.entries(changes)) {
          if (value) before.set(name, value);
          else before.delete(name);
        }
        return before;
      },
      { replace: true },
    );
  const send = async () => {
    if (!file) return;
    const aborted = new AbortController();
    setAborting(aborted);
    setFailure(null);
    setShare(0);
    try {
      const { name, size, lastModified } = file;
      const path = `/v2/integrations/${integrationId}/worklists`;
      const { jobId } = await once([path, options, name, size, lastModified], (idempotencyKey) =>
        sendFile({
          method: 'POST',
          path,
          query: { charset: options.charset, escapeFormulas: options.escapeFormulas },
          file,
          idempotencyKey,
          onProgress: setShare,
          signal: aborted.signal,
        }),
      );
      noteStarted(jobId);
      put({ job: jobId });
    } catch (error) {
      if (!aborted.signal.aborted) setFailure(error);
    } finally {
      setShare(null);
    }
  };
  return {
    integrationId,
    isComplete: file !== null && isIntegrationId(integrationId),
    jobId: search.get('job'),
    file,
    options,
    share,
    failure,
    send,
    stopSending: () => aborting?.abort(),
    chooseAccountSystem: (id: string) => put({ integrationId: id, job: null }),
    chooseFile: (chosen: File) => {
      setFile(chosen);
      setFailure(null);
      put({ job: null });
    },
    change: (changes: Partial<WorklistOptions>) => setOptions({ ...options, ...changes }),
  };
}
