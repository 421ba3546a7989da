import { useMemo, useState } from 'react';
import { useSearchParams } from 'wouter';
import type { Webhook } from '../../http/types.ts';
import { useMay } from '../../http/use-current-key.ts';
import { lastUsedAt } from '../../integrations/webhook/last-used.ts';
import { GENERIC_SAMPLE } from '../../integrations/webhook/sample-payload.ts';
import { useNewestEvent } from '../../integrations/webhook/use-newest-event.ts';
import { useTemplates } from '../../integrations/webhook/use-templates.ts';
import type { Subject } from '../model/preview-body.ts';
import { useLatestEvent } from './use-latest-event.ts';
import { usePaste } from './use-paste.ts';

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
