import { useEffect, useState } from 'react';
import { useSearchParams } from 'wouter';
import { sendFile } from '../../http/send-file.ts';
import { useSendOnce } from '../../http/use-send-once.ts';
import { IDENTITIES_PATH } from '../use-identities.ts';
import {
  readUploadState,
  type Step,
  type UploadOptions,
  uploadQuery,
  withJob,
  withOptions,
} from './upload-state.ts';

interface Sending {
  step: Step;
  /** The share of the file that has been sent, from 0 to 1. */
  share: number;
}

interface SendFailure {
  step: Step;
  error: unknown;
}

export type Upload = ReturnType<typeof useUpload>;

/**
 * Returns the chosen file, the state of the transfer, the options and the jobs of both steps, and functions that change
 * them. Options and job ids are kept in the page's address.
 */
export function useUpload() {
  const [search, setSearch] = useSearchParams();
  const state = readUploadState(search);
  const [file, setFile] = useState<File | null>(null);
  const [sending, setSending] = useState<Sending | null>(null);
  const [sendFailure, setSendFailure] = useState<SendFailure | null>(null);
  const [aborting, setAborting] = useState<AbortController | null>(null);
  const once = useSendOnce();
  useEffect(() => () => aborting?.abort(), [aborting]);

  const send = async (step: Step) => {
    if (!file) return;
    const aborted = new AbortController();
    setAborting(aborted);
    setSendFailure(null);
    setSending({ step, share: 0 });
    try {
      const query = uploadQuery(state.options, step);
      const { name, size, lastModified } = file;
      const { jobId } = await once([query, name, size, lastModified], (idempotencyKey) =>
        sendFile({
          path: IDENTITIES_PATH,
          query,
          file,
          idempotencyKey,
          onProgress: (share) => setSending({ step, share }),
          signal: aborted.signal,
        }),
      );
      setSearch((before) => withJob(before, step, jobId), { replace: true });
    } catch (error) {
      if (!aborted.signal.aborted) setSendFailure({ step, error });
    } finally {
      setSending(null);
    }
  };
  const startOver = (changes: Partial<UploadOptions>) => {
    setSendFailure(null);
    setSearch((before) => withOptions(before, changes), { replace: true });
  };
  return {
    ...state,
    file,
    sending,
    sendFailure,
    send,
    stopSending: () => aborting?.abort(),
    choose: (chosen: File) => {
      setFile(chosen);
      startOver({});
    },
    change: startOver,
  };
}
