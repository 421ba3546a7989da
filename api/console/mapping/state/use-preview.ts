import { replaceEqualDeep } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { requestJson } from '../../http/request.ts';
import { type ErrorDetail, RequestFailure } from '../../http/request-failure.ts';
import type { Mapping, One, Preview } from '../../http/types.ts';
import { withoutErrors } from '../model/errors-by-field.ts';
import { LatestOnly, type Outcome } from '../model/latest-only.ts';
import { previewBody, type Subject } from '../model/preview-body.ts';

/** How many of the newest stored events the mapping is tried on. */
export const LAST_EVENTS = 20;

interface Question {
  webhookId: string;
  mapping: Mapping;
  subject: Subject;
}

interface Answer {
  preview: Preview;
  /** What is wrong with the mapping; the preview is of the rest of it. */
  mappingErrors: readonly ErrorDetail[];
}

export interface PreviewState {
  /** The last answer; it stays until there is a newer one. */
  preview: Preview | null;
  mappingErrors: readonly ErrorDetail[];
  /** Why there is no newer one. */
  error: unknown;
  /** Whether a newer one is on its way. */
  isBehind: boolean;
}

const NOTHING: PreviewState = { preview: null, mappingErrors: [], error: null, isBehind: true };

/** What the mapping makes of the subject, kept current while it is drawn; null: nothing is asked. */
export function usePreview(question: Question | null, delayMs: number): PreviewState & { again(): void } {
  const [state, setState] = useState(NOTHING);
  const [turn, setTurn] = useState(0);
  const asker = useRef<LatestOnly<Question, Answer>>(undefined);
  asker.current ??= new LatestOnly(
    (asked) => ask(asked),
    (_, outcome) => setState((before) => after(before, outcome)),
  );
  const text = question && JSON.stringify(question);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `turn` asks the same once more
  useEffect(() => {
    if (text === null) return;
    setState((before) => ({ ...before, isBehind: true }));
    const timer = setTimeout(() => asker.current?.ask(JSON.parse(text)), delayMs);
    return () => clearTimeout(timer);
  }, [text, delayMs, turn]);
  return { ...state, again: () => setTurn((before) => before + 1) };
}

function after(before: PreviewState, outcome: Outcome<Answer>): PreviewState {
  if ('value' in outcome) {
    // What is the same stays the same object: a tree of a thousand fields is not made anew at each letter.
    const preview = replaceEqualDeep(before.preview, outcome.value.preview);
    return { preview, mappingErrors: outcome.value.mappingErrors, error: null, isBehind: false };
  }
  return { ...before, error: outcome.error, isBehind: false };
}

/** Without what is wrong, if there is something: a wrong tag in one field leaves the others to be seen. */
async function ask(
  { webhookId, mapping, subject }: Question,
  mappingErrors: readonly ErrorDetail[] = [],
): Promise<Answer> {
  try {
    const { data } = await requestJson<One<Preview>>(`/v2/webhooks/${webhookId}/preview`, {
      method: 'POST',
      jsonText: previewBody(mapping, subject),
    });
    return { preview: data, mappingErrors };
  } catch (error) {
    if (!(error instanceof RequestFailure && error.code === 'invalid_mapping')) throw error;
    const rest = withoutErrors(mapping, error.errors);
    if (!rest) throw error;
    return ask({ webhookId, mapping: rest, subject }, [...mappingErrors, ...error.errors]);
  }
}
