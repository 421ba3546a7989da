import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'wouter';
import type { QueryValue } from '../../http/request.ts';
import { type FileMethod, sendFile } from '../../http/send-file.ts';
import { useSendOnce } from '../../http/use-send-once.ts';
import { noteStarted } from '../../jobs/notices/started-jobs.ts';
import { forgetSentFiles, keepSentFile, sentFileOf } from './sent-file.ts';
import { type Step, withJob } from './upload-state.ts';

interface Sending {
  step: Step;
  /** The share of the file that has been sent, from 0 to 1. */
  share: number;
}

interface SendFailure {
  step: Step;
  error: unknown;
}

interface StepsOptions {
  /** The address of the page, without its query. */
  page: string;
  /** The API's path that files are sent to. */
  path: string;
  /** The job of each step, from the page's address. */
  jobs: Record<Step, string | null>;
  request: (step: Step) => { method: FileMethod; query: Record<string, QueryValue> };
}

/** Numbers the chosen files of this tab, to tell apart files with the same name. */
let lastFileNumber = 0;

const NO_FILE: { file: File | null; fileNumber: number } = { file: null, fileNumber: 0 };

/** The state of a page that sends a file for a dry run, and for an import. */
export type Steps = ReturnType<typeof useSteps>;

/** Returns the chosen file, the state of its transfer and the jobs of both steps, whose ids are kept in the page's address. */
export function useSteps({ page, path, jobs, request }: StepsOptions) {
  const [search, setSearch] = useSearchParams();
  const cache = useQueryClient();
  const { dryRun, import: importId } = jobs;
  const [{ file, fileNumber }, setFile] = useState(() => sentFileOf(cache, dryRun ?? importId) ?? NO_FILE);
  const [sending, setSending] = useState<Sending | null>(null);
  const [sendFailure, setSendFailure] = useState<SendFailure | null>(null);
  const [aborting, setAborting] = useState<AbortController | null>(null);
  const once = useSendOnce();
  useEffect(() => () => aborting?.abort(), [aborting]);

  const follow = (step: Step, jobId: string) =>
    setSearch((before) => withJob(before, step, jobId), { replace: true });

  const send = async (step: Step) => {
    if (!file) return;
    const aborted = new AbortController();
    setAborting(aborted);
    setSendFailure(null);
    setSending({ step, share: 0 });
    try {
      const { method, query } = request(step);
      const { name, size, lastModified } = file;
      const { jobId } = await once([method, path, query, name, size, lastModified], (idempotencyKey) =>
        sendFile({
          method,
          path,
          query,
          file,
          idempotencyKey,
          onProgress: (share) => setSending({ step, share }),
          signal: aborted.signal,
        }),
      );
      noteStarted(jobId);
      keepSentFile(cache, jobId, { file, fileNumber, address: `${page}?${withJob(search, step, jobId)}` });
      follow(step, jobId);
    } catch (error) {
      if (!aborted.signal.aborted) setSendFailure({ step, error });
    } finally {
      setSending(null);
    }
  };
  return {
    jobs,
    file,
    fileNumber,
    sending,
    sendFailure,
    send,
    /** Shows the job of a step that was started without the file. */
    follow,
    stopSending: () => aborting?.abort(),
    /** Takes another file. What was sent before no longer applies. */
    take: (chosen: File) => {
      forgetSentFiles(cache);
      lastFileNumber++;
      setFile({ file: chosen, fileNumber: lastFileNumber });
    },
    forgetFailure: () => setSendFailure(null),
  };
}
