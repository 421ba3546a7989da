import { useQuery } from '@tanstack/react-query';
import { requestJson } from '../../http/request.ts';
import type { Coverage, One } from '../../http/types.ts';

export const COVERAGE_PATH = '/v2/integrations/coverage';

/**
 * Returns the coverage of an account system in a list, and loads it if the list has no counts of it: a list counts large account systems only as long
 * as there is time.
 */
export function useCoverage(row: Coverage) {
  const isCounted = row.accounts !== null;
  const own = useQuery({
    queryKey: [COVERAGE_PATH, row.integrationId],
    queryFn: ({ signal }) =>
      requestJson<One<Coverage>>(`/v2/integrations/${row.integrationId}/coverage`, { signal }),
    select: ({ data }) => data,
    enabled: !isCounted,
  });
  return { coverage: own.data ?? row, isCounting: !isCounted && own.isPending };
}
