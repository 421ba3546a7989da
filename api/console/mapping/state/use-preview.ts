import { replaceEqualDeep } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { requestJson } from '../../http/request.ts';
import { type ErrorDetail, RequestFailure } from '../../http/request-failure.ts';
import type { Mapping, One, Preview } from '../../http/types.ts';
import { withoutErrors } from '../model/errors-by-field.ts';
import { LatestOnly, type Outcome } from '../model/latest-only.ts';
import { previewBody, type Subject } from '../model/preview-body.ts';

/** How many of the newest stored events the mapping is tried on. */
export const LAST_EVENTS = 20;

/** The server stops a preview after 2 s. */
const TIMEOUT_S = 15;
/** A preview that takes longer is late. */
const LATE_MS = 2_500;

interface PreviewRequest {
  webhookId: string;
  mapping: Mapping;
  subject: Subject;
}

interface PreviewInput {
  webhookId: string;
  mapping: Mapping;
  /** Its identity tells whether it changed, because a payload may be large. Null loads nothing. */
  subject: Subject | null;
}

interface PreviewResult {
  preview: Preview;
  /** The errors of the mapping. The preview shows the mapping without the fields that have errors. */
  mappingErrors: readonly ErrorDetail[];
}

export interface PreviewState {
  /** The last response. It stays until a newer one arrives. */
  preview: Preview | null;
  /** What the last response is about; null before the first one. */
  subject: Subject | null;
  mappingErrors: readonly ErrorDetail[];
  /** Why the newest request failed; null if it did not. */
  error: unknown;
  /** Whether a newer preview is being loaded. */
  isLoading: boolean;
  /** Whether the last response is no longer about the mapping: the newest request failed, or takes too long. */
  isStale: boolean;
}

const NO_PREVIEW: PreviewState = {
  preview: null,
  subject: null,
  mappingErrors: [],
  error: null,
  isLoading: true,
  isStale: false,
};

/** Loads what the mapping makes of the subject, and reloads it `delayMs` after the last change. */
export function usePreview(
  { webhookId, mapping, subject }: PreviewInput,
  delayMs: number,
): PreviewState & { reload(): void } {
  const [state, setState] = useState(NO_PREVIEW);
  const [reloads, setReloads] = useState(0);
  const newest = useRef<PreviewRequest>(undefined);
  const loader = useRef<LatestOnly<PreviewRequest, PreviewResult>>(undefined);
  loader.current ??= new LatestOnly(
    (one) => loadPreview(one),
    (request, outcome) => {
      const isNewest = request === newest.current;
      setState((before) => nextState(before, request, outcome, isNewest));
    },
  );
  const mappingText = JSON.stringify(mapping);
  const request = useMemo(
    () => subject && { webhookId, mapping: JSON.parse(mappingText) as Mapping, subject },
    [webhookId, mappingText, subject],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: `reloads` repeats an unchanged request
  useEffect(() => {
    if (request === null) return;
    newest.current = request;
    setState((before) => ({ ...before, isLoading: true }));
    const timer = setTimeout(() => loader.current?.run(request), delayMs);
    const noteLate = () => setState((before) => (before.isLoading ? { ...before, isStale: true } : before));
    const late = setTimeout(noteLate, delayMs + LATE_MS);
    return () => {
      clearTimeout(timer);
      clearTimeout(late);
    };
  }, [request, delayMs, reloads]);
  return { ...state, reload: () => setReloads((before) => before + 1) };
}

/** Returns the state after a response. If it is not for the newest request, that one is still being loaded, and a late one stays late. */
function nextState(
  before: PreviewState,
  { subject }: PreviewRequest,
  outcome: Outcome<PreviewResult>,
  isNewest: boolean,
): PreviewState {
  if ('value' in outcome) {
    // Equal parts stay the same objects, so a tree of a thousand fields does not render again for each keystroke.
    const preview = replaceEqualDeep(before.preview, outcome.value.preview);
    const { mappingErrors } = outcome.value;
    const isStale = before.isStale && !isNewest;
    return { preview, subject, mappingErrors, error: null, isLoading: !isNewest, isStale };
  }
  return { ...before, error: outcome.error, isLoading: !isNewest, isStale: true };
}

/** Loads a preview. Fields with errors are left out and reported, so that an invalid tag in one does not hide the others. */
async function loadPreview(
  { webhookId, mapping, subject }: PreviewRequest,
  mappingErrors: readonly ErrorDetail[] = [],
): Promise<PreviewResult> {
  try {
    const { data } = await requestJson<One<Preview>>(`/v2/webhooks/${webhookId}/preview`, {
      method: 'POST',
      timeoutS: TIMEOUT_S,
      jsonText: previewBody(mapping, subject),
    });
    return { preview: data, mappingErrors };
  } catch (error) {
    if (!(error instanceof RequestFailure && error.code === 'invalid_mapping')) throw error;
    const rest = withoutErrors(mapping, error.errors);
    if (!rest) throw error;
    return loadPreview({ webhookId, mapping: rest, subject }, [...mappingErrors, ...error.errors]);
  }
}
