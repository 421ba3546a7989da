import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { requestJson } from '../../http/request.ts';
import { RequestFailure } from '../../http/request-failure.ts';
import type { Scope } from '../../http/types.ts';
import { pagesFor } from '../pages.ts';
import type { Entry } from './entries.ts';
import { kindsOf } from './id-kinds.ts';

/** Finds out what an id belongs to. The data is null if the key can see nothing with this id. A null id sends no request. */
export const useEntryById = (id: string | null, scopes: readonly Scope[]): UseQueryResult<Entry | null> =>
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
