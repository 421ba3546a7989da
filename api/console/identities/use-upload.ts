import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'wouter';
import { newIdempotencyKey } from '../http/idempotency-key.ts';
import { RequestFailure } from '../http/request-failure.ts';
import { sendFile } from '../http/send-file.ts';
import {
  readUploadState,
  type Step,
  type UploadOptions,
  uploadQuery,
  withJob,
  withOptions,
} from './upload-state.ts';
import { PATH } from './use-identities.ts';

export interface Sending {
  step: Step;
  /** What of the file is sent, from 0 to 1. */
  share: number;
}

export interface Unsent {
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
  const keys = useKeys();
  useEffect(() => () => aborting?.abort(), [aborting]);

  const send = async (step: Step) => {
    if (!file) return;
    const aborted = new AbortController();
    setAborting(aborted);
    setUnsent(null);
    setSending({ step, share: 0 });
    try {
      const { jobId } = await sendFile({
        path: PATH,
        query: uploadQuery(state.options, step),
        file,
        idempotencyKey: keys.of(step),
        onProgress: (share) => setSending({ step, share }),
        signal: aborted.signal,
      });
      keys.done(step);
      setSearch((before) => withJob(before, step, jobId), { replace: true });
    } catch (error) {
      if (!(error instanceof RequestFailure && error.isTemporary)) keys.done(step);
      if (!aborted.signal.aborted) setUnsent({ step, error });
    } finally {
      setSending(null);
    }
  };
  const startOver = (changes: Partial<UploadOptions>) => {
    keys.done('check');
    keys.done('import');
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

/** A step keeps its Idempotency-Key until it got an answer: sent again after a broken connection, it is done once. */
function useKeys() {
  const keys = useRef<Partial<Record<Step, string>>>({});
  return {
    of: (step: Step): string => {
      keys.current[step] ??= newIdempotencyKey();
      return keys.current[step];
    },
    done: (step: Step) => {
      delete keys.current[step];
    },
  };
}
