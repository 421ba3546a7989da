import { useQuery } from '@tanstack/react-query';
import { requestJson } from '../../http/request.ts';
import type { Mapping, MappingRevision, One, SavedMapping, Webhook } from '../../http/types.ts';
import { type Draft, toDraft } from '../model/draft/draft.ts';

/** A saved mapping in the form of a draft. Revision 0 is the empty mapping of an integration that has none. */
export interface Base {
  revision: number;
  draft: Draft;
  /** Null if that is not known. */
  savedBy: MappingRevision['savedBy'];
}

const NO_BASE: Base = { revision: 0, draft: toDraft({ fields: {} }), savedBy: null };

/** Loads one revision of an integration's mapping. A revision never changes, so it is loaded once. */
export const useRevision = ({ id }: Pick<Webhook, 'id'>, revision: number) =>
  useQuery({
    queryKey: ['revision', id, revision],
    queryFn: ({ signal }) => readRevision(id, revision, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Loads a revision in the form of a draft. */
export async function readRevision(id: string, revision: number, signal?: AbortSignal): Promise<Base> {
  if (revision === 0) return NO_BASE;
  const { data } = await requestJson<One<SavedMapping>>(`/v2/webhooks/${id}/mapping/revisions/${revision}`, {
    ...(signal ? { signal } : {}),
  });
  return toBase(data);
}

export const toBase = ({ revision, mapping, savedBy }: SavedMapping): Base => ({
  revision,
  savedBy,
  draft: toDraft(mapping as Mapping),
});
