import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { requestJson } from '../../http/request.ts';
import type { One, Rehearsal, RehearsedMessage } from '../../http/types.ts';
import { useMay } from '../../http/use-current-key.ts';
import { DESTINATIONS } from '../use-destination.ts';
import type { RehearsedSettings } from './drawn-form.ts';

/** After the last change of the settings. */
const DELAY_MS = 400;
const LAST = 5;
/** The server stops after 5 s, and may have others to serve first. */
const TIMEOUT_S = 30;

/** Loads what a destination would get of the newest alerts. The last response stays until a newer one arrives. */
export function usePreviewedMessages(settings: RehearsedSettings) {
  const [json] = useDebouncedValue(JSON.stringify({ ...settings, last: LAST }), DELAY_MS);
  return useQuery({
    queryKey: [DESTINATIONS, 'preview', json],
    queryFn: ({ signal }) => post<RehearsedMessage[]>(`${DESTINATIONS}/preview`, json, signal),
    placeholderData: keepPreviousData,
    enabled: useMay('alerts:read'),
    retry: false,
    gcTime: 0,
  });
}

/** Loads what a destination would have got in the last 7 days, when it is asked for. */
export function useRehearsal(settings: RehearsedSettings) {
  const json = JSON.stringify(settings);
  return useQuery({
    queryKey: [DESTINATIONS, 'rehearsal', json],
    queryFn: ({ signal }) => post<Rehearsal>(`${DESTINATIONS}/rehearsal`, json, signal),
    enabled: false,
    retry: false,
  });
}

const post = async <Data>(path: string, jsonText: string, signal: AbortSignal): Promise<Data> =>
  (await requestJson<One<Data>>(path, { method: 'POST', jsonText, signal, timeoutS: TIMEOUT_S })).data;
