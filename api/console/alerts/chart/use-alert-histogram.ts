import { useQuery } from '@tanstack/react-query';
import { requestJson } from '../../http/request.ts';
import type { AlertHistogram, One } from '../../http/types.ts';
import type { AlertQuery } from '../list/alert-query.ts';

/** Counting reads all alerts of the time, so it is less frequent than the list. */
const REFRESH_MS = 30_000;

/** Loads the number of alerts by time and severity. A failed update keeps the last one. */
export const useAlertHistogram = (query: AlertQuery) =>
  useQuery({
    queryKey: ['/v2/alerts/histogram', query],
    queryFn: ({ signal }) => requestJson<One<AlertHistogram>>('/v2/alerts/histogram', { query, signal }),
    select: ({ data }) => data,
    placeholderData: (last) => last,
    refetchInterval: REFRESH_MS,
    retry: false,
  });
