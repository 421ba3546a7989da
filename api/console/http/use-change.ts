import { useMutation, useQueryClient } from '@tanstack/react-query';
import { announce } from '../parts/feedback/announce.tsx';
import { type RequestOptions, requestJson } from './request.ts';
import type { One } from './types.ts';
import { useSendOnce } from './use-send-once.ts';

/** Something that the API stores, and where the console caches it. */
export interface Entry {
  /** The API's path. */
  path: string;
  /** The key of its query. */
  queryKey: readonly unknown[];
  /** The API's path of the list that contains it. */
  list: string;
}

export interface Change {
  method: NonNullable<RequestOptions['method']>;
  /** Appended to the entry's path, such as `/rotate`. */
  path?: string;
  json: unknown;
  /** The revision of the settings that may be replaced. Default: any. */
  revision?: number;
  /** Announced after success. */
  done: string;
}

/** Changes an entry and updates every page that shows it with the response. */
export function useChange<Data>({ path: base, queryKey, list }: Entry) {
  const cache = useQueryClient();
  const once = useSendOnce();
  return useMutation({
    mutationFn: ({ method, path = '', json, revision }: Change) =>
      once({ method, path, json, revision }, (key) =>
        requestJson<One<Data>>(`${base}${path}`, {
          method,
          json,
          headers: {
            'idempotency-key': key,
            ...(revision === undefined ? {} : { 'if-match': `"${revision}"` }),
          },
        }),
      ),
    onSuccess: async (changed, { done }) => {
      // A response that is still on its way dates from before the change.
      await cache.cancelQueries({ queryKey });
      cache.setQueryData(queryKey, changed);
      void cache.invalidateQueries({ queryKey: [list] });
      announce(done);
    },
  });
}
