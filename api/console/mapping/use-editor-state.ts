import { useEffect, useMemo, useRef, useState } from 'react';
import type { Webhook } from '../http/types.ts';
import { useMay } from '../http/use-current-key.ts';
import { writtenPath } from './expression-editor/expression-paths.ts';
import type { Target } from './model/draft/alert-fields.ts';
import { type Draft, fieldAt, toMapping } from './model/draft/draft.ts';
import { keyPartsOf } from './model/draft/lookups.ts';
import { brokenTag, tagOf } from './model/draft/tags.ts';
import { errorsByField } from './model/errors-by-field.ts';
import type { FieldNode } from './model/field-tree.ts';
import type { Subject } from './model/preview-body.ts';
import { type PreviewedAlert, resultAt } from './model/previewed.ts';
import { useSample } from './sample/use-sample.ts';
import type { EditorContext } from './state/editor-context.tsx';
import { useDraft } from './state/use-draft.ts';
import { type FieldSelection, type KeyPlace, useFieldSelection } from './state/use-field-selection.ts';
import { LAST_EVENTS, usePreview } from './state/use-preview.ts';
import type { Base } from './state/use-saved-mapping.ts';

const PREVIEW_DELAY_MS = 250;
/** A preview over many events is more work for the server, so it waits for a longer pause in typing. */
const LAST_EVENTS_DELAY_MS = 700;

const LAST_EVENTS_SUBJECT = { last: LAST_EVENTS };

const NO_NODES: readonly FieldNode[] = [];

/** Builds the editor's state: draft, sample payload, previews and the selected payload field. */
export function useEditorState(webhook: Webhook, base: Base) {
  const mayWrite = useMay('webhooks:write');
  const mayReadEvents = useMay('alerts:read');
  const draftState = useDraft(webhook.id, base);
  const sample = useSample(webhook);
  const [alertNumber, setAlertNumber] = useState(0);
  const [values, setValues] = useState<{ target: Target; from: readonly string[] } | null>(null);
  const mapping = useMemo(() => toMapping(draftState.draft), [draftState.draft]);
  const { subject } = sample;
  const onMapping = { webhookId: webhook.id, mapping };
  const samplePreview = usePreview({ ...onMapping, subject: mayWrite ? subject : null }, PREVIEW_DELAY_MS);
  const lastEvents = usePreview(
    { ...onMapping, subject: mayWrite && mayReadEvents ? LAST_EVENTS_SUBJECT : null },
    LAST_EVENTS_DELAY_MS,
  );
  const { latest } = sample;
  useReloadOnChange(lastEvents.reload, latest.isPending ? undefined : (latest.event?.id ?? null));
  const preview = subject ? samplePreview : { ...samplePreview, preview: null };
  const nodes = preview.preview?.fields?.nodes ?? NO_NODES;
  const insertedText = (place: Target | KeyPlace, path: string) =>
    isExpression(draftState.draft, place) ? writtenPath(nodes, path) : tagOf(path);
  const cursors = useRef(new Map<string, number>());
  const cursorOf = (place: Target | KeyPlace) => cursors.current.get(nameOf(place));
  const alerts = preview.preview?.alerts ?? [];
  const shown = Math.min(alertNumber, Math.max(0, alerts.length - 1));
  const alert = alerts[shown] ?? null;
  const brokenOf = (target: Target) => brokenPart(draftState.draft, alert, target, cursorOf(target));
  const selection = useFieldSelection(draftState.dispatch, insertedText, cursorOf, brokenOf);
  useCancelOnChange(selection, subject);
  const fieldErrors = useMemo(
    () => errorsByField(samplePreview.mappingErrors),
    [samplePreview.mappingErrors],
  );
  const editor: EditorContext = {
    ...draftState,
    webhook,
    mayWrite,
    mayReadEvents,
    sample,
    preview,
    isOfSample: preview.subject === subject,
    lastEvents,
    nodes,
    alert,
    isUntouched: draftState.base.revision === 0 && draftState.count === 0,
    fieldErrors,
    selection,
    insertedText,
    cursorOf,
    brokenOf,
    noteCursor: (place, position) => {
      if (position === null) cursors.current.delete(nameOf(place));
      else cursors.current.set(nameOf(place), position);
    },
    editValues: (target, from) => setValues({ target, from: from ?? [] }),
  };
  return {
    editor,
    alertNumber: shown,
    setAlertNumber,
    values,
    closeValues: () => setValues(null),
  };
}

const nameOf = (place: Target | KeyPlace): string =>
  typeof place === 'string' ? place : `lookups.${place.lookup}.${place.part}`;

/** Returns whether a field or a part of a key is an expression. */
function isExpression(draft: Draft, place: Target | KeyPlace): boolean {
  if (typeof place === 'string') return fieldAt(draft, place).expression !== undefined;
  const found = draft.lookups.find(({ name }) => name === place.lookup);
  return found !== undefined && typeof keyPartsOf(found.lookup)[place.part] === 'object';
}

/** Returns the broken tag of a template that a dropped field replaces. With the cursor elsewhere in the text, the field goes there. */
function brokenPart(
  draft: Draft,
  alert: PreviewedAlert | null,
  target: Target,
  cursor: number | undefined,
): string | null {
  const { template, expression } = fieldAt(draft, target);
  if (expression !== undefined || (cursor !== undefined && cursor < template.trimEnd().length)) return null;
  return brokenTag(template, resultAt(alert, target)?.missing.map(({ path }) => path) ?? []);
}

/** Calls `reload` when the value changes. Undefined means that the value is not known yet. */
function useReloadOnChange(reload: () => void, value: string | null | undefined): void {
  const [before, setBefore] = useState(value);
  useEffect(() => {
    if (value === before) return;
    setBefore(value);
    if (before !== undefined) reload();
  });
}

/** Cancels the selection when another payload is shown, which may not have the selected field. */
function useCancelOnChange({ selected, cancel }: FieldSelection, shown: Subject | null): void {
  const [before, setBefore] = useState(shown);
  useEffect(() => {
    if (shown === before) return;
    setBefore(shown);
    if (selected) cancel();
  });
}
