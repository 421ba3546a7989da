import { useState } from 'react';
import { useCurrentKey } from '../../http/use-current-key.ts';
import { useWebhookNames } from '../../integrations/webhook/use-webhook-names.ts';
import { type Entry, entriesFor, findEntries, searchesFor } from './entries.ts';
import { useEntryById } from './find-by-id.ts';
import { uuidIn } from './id-kinds.ts';

/** The state of the palette: its text, what it finds, and which entry is selected. */
export function usePalette() {
  const scopes = useCurrentKey().data?.scopes ?? [];
  const integrations = useWebhookNames().all;
  const [text, setText] = useState('');
  const [selected, select] = useState(0);
  const id = uuidIn(text);
  const byId = useEntryById(id, scopes);
  const entries: Entry[] =
    id === null
      ? [...findEntries(entriesFor({ scopes, integrations }), text), ...searchesFor(text, scopes)]
      : byId.data
        ? [byId.data]
        : [];
  return {
    text,
    write: (next: string) => {
      setText(next);
      select(0);
    },
    entries,
    selected: Math.min(selected, entries.length - 1),
    select,
    /** Moves the selection, from the last entry to the first and back. */
    move: (by: number) => select((now) => (now + by + entries.length) % Math.max(1, entries.length)),
    notice: noticeOf(id, byId),
  };
}

/** Says why there is no entry for an id; null if nothing is to say. */
function noticeOf(id: string | null, { isPending, error, data }: ReturnType<typeof useEntryById>) {
  if (id === null || data) return null;
  if (isPending) return 'Looking up the ID…';
  return error
    ? `Could not look up the ID: ${error.message}`
    : 'No integration, alert, event or job has this ID.';
}
