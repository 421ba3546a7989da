import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { requestJson } from '../../http/request.ts';
import { RequestFailure } from '../../http/request-failure.ts';
import type { Scope } from '../../http/types.ts';
import { useCurrentKey } from '../../http/use-current-key.ts';
import { useWebhookNames } from '../../integrations/webhook/use-webhook-names.ts';
import { pagesFor } from '../pages.ts';
import { type Entry, entriesFor, findEntries, searchesFor } from './entries.ts';
import { kindsOf, uuidIn } from './id-kinds.ts';

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

/** Finds out what an id belongs to. The data is null if the key can see nothing with this id. A null id sends no request. */
const useEntryById = (id: string | null, scopes: readonly Scope[]): UseQueryResult<Entry | null> =>
  useQuery({
    queryKey: ['find', id],
    queryFn: ({ signal }) => findById(id ?? '', scopes, signal),
    enabled: id !== null,
  });

async function findById(id: string, scopes: readonly Scope[], signal: AbortSignal): Promise<Entry | null> {
  const visible = pagesFor(scopes).map(({ path }) => path);
  for (const { name, page, api } of kindsOf(id)) {
    if (visible.includes(page) && (await exists(`${api}/${id}`, signal)))
      return { group: 'By ID', name: `${name} ${id}`, href: `${page}/${id}` };
  }
  return null;
}

/** An event that is not stored yet exists too. */
async function exists(path: string, signal: AbortSignal): Promise<boolean> {
  try {
    await requestJson(path, { signal });
    return true;
  } catch (error) {
    if (!(error instanceof RequestFailure)) throw error;
    if (error.status === 404 || error.status === 403) return error.code === 'not_stored_yet';
    throw error;
  }
}
