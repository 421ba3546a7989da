import { useQuery } from '@tanstack/react-query';
import { requestJson } from '../../../http/request.ts';
import type { One, RulePrecision } from '../../../http/types.ts';
import { decisionsPath } from './load-worklist.ts';

/** Decisions change the counts slowly. */
const REFRESH_MS = 30_000;
const NONE: readonly RulePrecision[] = [];

/** Returns how often each rule was right; nothing until that is loaded, or if it cannot be. */
export function usePrecision(integrationId: number): readonly RulePrecision[] {
  const path = `${decisionsPath(integrationId)}/precision`;
  const { data } = useQuery({
    queryKey: [path],
    queryFn: ({ signal }) => requestJson<One<RulePrecision[]>>(path, { signal }),
    select: ({ data }) => data,
    refetchInterval: REFRESH_MS,
    staleTime: REFRESH_MS,
  });
  return data ?? NONE;
}
