import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { IDENTITIES_PATH } from '../identities-path.ts';
import { isWorkbook } from './file/workbook-file.ts';
import {
  FILE_OPTIONS,
  missingOptions,
  readUploadState,
  type Step,
  type UploadOptions,
  uploadRequest,
  withOptions,
} from './upload-state.ts';
import { useSteps } from './use-steps.ts';

export type Upload = ReturnType<typeof useUpload>;

/**
 * Returns the chosen file, the state of the transfer, the options and the jobs of both steps, and functions that change
 * them. Options and job ids are kept in the page's address.
 */
export function useUpload() {
  const [search, setSearch] = useSearchParams();
  const { options, jobs } = readUploadState(search);
  /** How often a step was started for this file. */
  const [tries, setTries] = useState(0);
  const { take, forgetFailure, ...steps } = useSteps({
    page: '/identities/upload',
    path: IDENTITIES_PATH,
    jobs,
    request: (step) => uploadRequest(options, step),
  });
  const startOver = (changes: Partial<UploadOptions>) => {
    forgetFailure();
    setSearch((before) => withOptions(before, changes), { replace: true });
  };
  return {
    ...steps,
    options,
    /** The required options that are not set, once a step was started without them. */
    missing: tries > 0 ? missingOptions(options) : {},
    tries,
    send: async (step: Step) => {
      if (!steps.file) return;
      setTries(tries + 1);
      if (Object.keys(missingOptions(options)).length === 0) await steps.send(step);
    },
    choose: (chosen: File) => {
      take(chosen);
      setTries(0);
      startOver({ ...FILE_OPTIONS, ...(isWorkbook(chosen) ? { charset: '' } : {}) });
    },
    change: startOver,
  };
}
