import { useEffect, useMemo, useState } from 'react';
import type { Webhook } from '../http/types.ts';
import { useMay } from '../http/use-current-key.ts';
import type { Target } from './model/draft/alert-fields.ts';
import { toMapping } from './model/draft/draft.ts';
import { errorsByField } from './model/errors-by-field.ts';
import type { FieldNode } from './model/field-tree.ts';
import { useSample } from './sample/use-sample.ts';
import type { EditorContext } from './state/editor-context.tsx';
import { useDraft } from './state/use-draft.ts';
import { type Picking, usePicking } from './state/use-field-picking.ts';
import { LAST_EVENTS, usePreview } from './state/use-preview.ts';
import type { Base } from './state/use-saved-mapping.ts';

const DELAY_MS = 250;
/** Looking at many events is more work, and follows when the hand rests. */
const LAST_DELAY_MS = 700;

const NO_NODES: readonly FieldNode[] = [];

/** All that the mapping page knows and does, for its parts to share. */
export function useEditorState(webhook: Webhook, base: Base) {
  const mayWrite = useMay('webhooks:write');
  const draftState = useDraft(webhook.id, base);
  const sample = useSample(webhook);
  const picking = usePicking(draftState.dispatch);
  const [alertNumber, setAlertNumber] = useState(0);
  const [values, setValues] = useState<{ target: Target; from: string | null } | null>(null);
  const mapping = useMemo(() => toMapping(draftState.draft), [draftState.draft]);
  const { subject } = sample;
  useCancelWith(picking, JSON.stringify(subject));
  const asked = mayWrite && subject ? { webhookId: webhook.id, mapping, subject } : null;
  const answered = usePreview(asked, DELAY_MS);
  const lastAsked = mayWrite ? { webhookId: webhook.id, mapping, subject: { last: LAST_EVENTS } } : null;
  const lastEvents = usePreview(lastAsked, LAST_DELAY_MS);
  const { latest } = sample;
  useAgainWhen(lastEvents.again, latest.isPending ? undefined : (latest.event?.id ?? null));
  const preview = subject ? answered : { ...answered, preview: null };
  const alerts = preview.preview?.alerts ?? [];
  const shown = Math.min(alertNumber, Math.max(0, alerts.length - 1));
  const fieldErrors = useMemo(() => errorsByField(answered.mappingErrors), [answered.mappingErrors]);
  const editor: EditorContext = {
    ...draftState,
    webhook,
    mayWrite,
    preview,
    lastEvents,
    nodes: preview.preview?.fields?.nodes ?? NO_NODES,
    alert: alerts[shown] ?? null,
    fieldErrors,
    picking,
    editValues: (target, from) => setValues({ target, from: from ?? null }),
  };
  return {
    editor,
    sample,
    alertNumber: shown,
    setAlertNumber,
    values,
    closeValues: () => setValues(null),
  };
}

/** Looks again when something has become another thing; undefined: it is not known yet. */
function useAgainWhen(again: () => void, changed: string | null | undefined): void {
  const [before, setBefore] = useState(changed);
  useEffect(() => {
    if (changed === before) return;
    setBefore(changed);
    if (before !== undefined) again();
  });
}

/** What is picked is of the payload that was shown: another one may not have it. */
function useCancelWith({ picked, cancel }: Picking, shown: string): void {
  const [before, setBefore] = useState(shown);
  useEffect(() => {
    if (shown === before) return;
    setBefore(shown);
    if (picked) cancel();
  });
}
