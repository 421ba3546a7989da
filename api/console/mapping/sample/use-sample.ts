import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useSearchParams } from 'wouter';
import { isMapped, MAPPED_STATES } from '../../events/mapped-states.ts';
import { requestJson } from '../../http/request.ts';
import type { Event, Page, Webhook } from '../../http/types.ts';
import { useMay } from '../../http/use-current-key.ts';
import { lastUsedAt } from '../../integrations/webhook/last-used.ts';
import { GENERIC_SAMPLE, keepSample, lastSample } from '../../integrations/webhook/sample-payload.ts';
import { useNewestEvent } from '../../integrations/webhook/use-newest-event.ts';
import { useTemplates } from '../../integrations/webhook/use-templates.ts';
import { announce } from '../../parts/feedback/announce.tsx';
import { isJson } from '../../parts/values/json-text.ts';
import type { JsonError } from '../model/json-error.ts';
import type { Subject } from '../model/preview-body.ts';

export type SampleKind = 'sample' | 'event' | 'paste';

/** Returns the sample payload of the editor: the template's, a stored event's or a pasted one. */
export function useSample(webhook: Webhook) {
  const mayReadEvents = useMay('alerts:read');
  const { kind, eventId, choose } = useChoice(webhook, mayReadEvents);
  const paste = usePaste(webhook.id);
  const template = useTemplateSample(webhook.template);
  const latest = useLatestEvent(webhook.id, mayReadEvents && kind === 'event' && eventId === null);
  const shownEvent = eventId ?? latest.event?.id ?? null;
  const { validText } = paste;
  const subject = useMemo((): Subject | null => {
    if (kind === 'sample') return template === null ? null : { payload: template };
    if (kind === 'paste') return validText === '' ? null : { payload: validText };
    return shownEvent === null || !mayReadEvents ? null : { eventIds: [shownEvent] };
  }, [kind, template, validText, shownEvent, mayReadEvents]);
  /** Whether the payload is still being loaded. */
  const isComing =
    subject === null && (kind === 'sample' || (kind === 'event' && mayReadEvents && latest.isPending));
  return { kind, eventId, choose, paste, latest, subject, isComing };
}

export type Sample = ReturnType<typeof useSample>;

/** Keeps the choice of the payload in the address: `?event=ID`, `?sample=paste`. */
function useChoice(webhook: Webhook, mayReadEvents: boolean) {
  const [query, setQuery] = useSearchParams();
  const eventId = query.get('event');
  // The time of last use is stored some time after the first event.
  const hasEvents = useNewestEvent(webhook.id) !== null || lastUsedAt(webhook) !== null;
  const initial: SampleKind = mayReadEvents && hasEvents ? 'event' : 'sample';
  const [first] = useState(initial);
  const named = (['sample', 'event', 'paste'] as const).find((one) => one === query.get('sample'));
  const kind: SampleKind = eventId ? 'event' : (named ?? first);
  const choose = (next: SampleKind, event: string | null = null) =>
    setQuery(event ? { event } : { sample: next }, { replace: true });
  return { kind, eventId, choose };
}

/** Returns the sample of the integration's template as text, or null while it is loading. */
function useTemplateSample(name: string | null): string | null {
  const { data: templates } = useTemplates();
  if (name !== null && !templates) return null;
  const template = templates?.find((one) => one.name === name);
  return JSON.stringify(template?.sample ?? GENERIC_SAMPLE);
}

/** Holds the pasted text, and the last version of it that was valid JSON. */
function usePaste(webhookId: string) {
  const [text, setText] = useState(() => lastSample(webhookId) ?? '');
  const [validText, setValidText] = useState(() => (isJson(text) ? text.trim() : ''));
  const error = useJsonError(text);
  const change = (next: string) => {
    setText(next);
    keepSample(webhookId, next);
    if (isJson(next) || next.trim() === '') setValidText(next.trim());
  };
  return { text, error, validText, change };
}

/** Returns the first error of a JSON text. The JSON grammar is loaded when it is first needed. */
function useJsonError(text: string): JsonError | null {
  const [error, setError] = useState<JsonError | null>(null);
  useEffect(() => {
    let isOutdated = false;
    const check = async () => {
      const isInvalid = text.trim() !== '' && !isJson(text);
      const found = isInvalid ? (await import('../model/json-error.ts')).findJsonError(text) : null;
      if (!isOutdated) setError(found);
    };
    void check();
    return () => {
      isOutdated = true;
    };
  }, [text]);
  return error;
}

const POLL_MS = 1_000;
/** Rejected events have no usable payload. The newest usable event is searched among this many. */
const SEARCHED_EVENTS = 10;
/** Pings and events of Muster itself are not of the source. */
const SENT_STATES = [...MAPPED_STATES, 'rejected'];

/** Loads the newest event of an integration whose payload can be used as a sample, and can wait for the next one. */
function useLatestEvent(webhookId: string, enabled: boolean) {
  const [since, setSince] = useState<{ time: number; eventId: string | null } | null>(null);
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['latest event', webhookId],
    queryFn: ({ signal }) =>
      requestJson<Page<Event>>('/v2/events', {
        query: { webhookId, state: SENT_STATES, pageSize: SEARCHED_EVENTS },
        signal,
      }),
    // The sample must not change while someone edits. Only waiting for the next event loads a new one.
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: since ? POLL_MS : false,
    enabled,
  });
  const event = data?.data.find(isMapped) ?? null;
  const newest = data?.data[0] ?? null;
  useEffect(() => {
    if (!since || event === null || event.id === since.eventId) return;
    setSince(null);
    announce('Received the next event. Showing its fields.');
  }, [since, event]);
  return {
    event,
    /** A newer event that was rejected because its body is not JSON. */
    rejected: newest?.state === 'rejected' ? newest : null,
    error,
    isPending,
    refetch,
    waitingSince: since?.time ?? null,
    wait: () => setSince({ time: Date.now(), eventId: event?.id ?? null }),
    stop: () => setSince(null),
  };
}
