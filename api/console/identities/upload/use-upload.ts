import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'wouter';
import { sendFile } from '../../http/send-file.ts';
import { useSendOnce } from '../../http/use-send-once.ts';
import { noteStarted } from '../../jobs/notices/started-jobs.ts';
import { IDENTITIES_PATH } from '../use-identities.ts';
import { forgetSentFiles, keepSentFile, sentFileOf } from './sent-file.ts';
import {
  FILE_OPTIONS,
  missingOptions,
  readUploadState,
  type Step,
  type UploadOptions,
  uploadRequest,
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

const UPLOAD_PAGE = '/identities/upload';

/** Numbers the chosen files of this tab, to tell apart files with the same name. */
let lastFileNumber = 0;

const NO_FILE: { file: File | null; fileNumber: number } = { file: null, fileNumber: 0 };

export type Upload = ReturnType<typeof useUpload>;

/**
 * Returns the chosen file, the state of the transfer, the options and the jobs of both steps, and functions that change
 * them. Options and job ids are kept in the page's address.
 */
export function useUpload() {
  const [search, setSearch] = useSearchParams();
  const state = readUploadState(search);
  const cache = useQueryClient();
  const { dryRun, import: importId } = state.jobs;
  const [{ file, fileNumber }, setFile] = useState(() => sentFileOf(cache, dryRun ?? importId) ?? NO_FILE);
  /** How often a step was started for this file. */
  const [tries, setTries] = useState(0);
  const [sending, setSending] = useState<Sending | null>(null);
  const [sendFailure, setSendFailure] = useState<SendFailure | null>(null);
  const [aborting, setAborting] = useState<AbortController | null>(null);
  const once = useSendOnce();
  useEffect(() => () => aborting?.abort(), [aborting]);

  const send = async (step: Step) => {
    if (!file) return;
    setTries(tries + 1);
    if (Object.keys(missingOptions(state.options)).length > 0) return;
    const aborted = new AbortController();
    setAborting(aborted);
    setSendFailure(null);
    setSending({ step, share: 0 });
    try {
      const { method, query } = uploadRequest(state.options, step);
      const { name, size, lastModified } = file;
      const { jobId } = await once([method, query, name, size, lastModified], (idempotencyKey) =>
        sendFile({
          method,
          path: IDENTITIES_PATH,
          query,
          file,
          idempotencyKey,
          onProgress: (share) => setSending({ step, share }),
          signal: aborted.signal,
        }),
      );
      const address = `${UPLOAD_PAGE}?${withJob(search, step, jobId)}`;
      noteStarted(jobId);
      keepSentFile(cache, jobId, { file, fileNumber, address });
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
    fileNumber,
    /** The required options that are not set, once a step was started without them. */
    missing: tries > 0 ? missingOptions(state.options) : {},
    tries,
    sending,
    sendFailure,
    send,
    stopSending: () => aborting?.abort(),
    choose: (chosen: File) => {
      forgetSentFiles(cache);
      lastFileNumber++;
      setFile({ file: chosen, fileNumber: lastFileNumber });
      setTries(0);
      startOver(FILE_OPTIONS);
    },
    change: startOver,
  };
}
