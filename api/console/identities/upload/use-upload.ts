import { useEffect, useState } from 'react';
import { useSearchParams } from 'wouter';
import { sendFile } from '../../http/send-file.ts';
import { useSendOnce } from '../../http/use-send-once.ts';
import { PATH } from '../use-identities.ts';
import {
  readUploadState,
  type Step,
  type UploadOptions,
  uploadQuery,
  withJob,
  withOptions,
} from './upload-state.ts';

export interface Sending {
  step: Step;
  /** What of the file is sent, from 0 to 1. */
  share: number;
}

interface Unsent {
  step: Step;
  error: unknown;
}

export type UploadDesk = ReturnType<typeof useUpload>;

/** The file that was chosen, what is being sent, and the jobs it became; those are in the address of the page. */
export function useUpload() {
  const [search, setSearch] = useSearchParams();
  const state = readUploadState(search);
  const [file, setFile] = useState<File | null>(null);
  const [sending, setSending] = useState<Sending | null>(null);
  const [unsent, setUnsent] = useState<Unsent | null>(null);
  const [aborting, setAborting] = useState<AbortController | null>(null);
  const once = useSendOnce();
  useEffect(() => () => aborting?.abort(), [aborting]);

  const send = async (step: Step) => {
    if (!file) return;
    const aborted = new AbortController();
    setAborting(aborted);
    setUnsent(null);
    setSending({ step, share: 0 });
    try {
      const query = uploadQuery(state.options, step);
      const { name, size, lastModified } = file;
      const { jobId } = await once([query, name, size, lastModified], (idempotencyKey) =>
        sendFile({
          path: PATH,
          query,
          file,
          idempotencyKey,
          onProgress: (share) => setSending({ step, share }),
          signal: aborted.signal,
        }),
      );
      setSearch((before) => withJob(before, step, jobId), { replace: true });
    } catch (error) {
      if (!aborted.signal.aborted) setUnsent({ step, error });
    } finally {
      setSending(null);
    }
  };
  const startOver = (changes: Partial<UploadOptions>) => {
    setUnsent(null);
    setSearch((before) => withOptions(before, changes), { replace: true });
  };
  return {
    ...state,
    file,
    sending,
    unsent,
    send,
    stopSending: () => aborting?.abort(),
    choose: (chosen: File) => {
      setFile(chosen);
      startOver({});
    },
    change: startOver,
  };
}
