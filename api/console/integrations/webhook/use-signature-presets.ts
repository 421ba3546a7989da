import { useQuery } from '@tanstack/react-query';
import { requestJson } from '../../http/request.ts';
import type { One, SignaturePreset } from '../../http/types.ts';

/** Loads the signature presets. They change only with Muster's version, so they are loaded once. */
export const useSignaturePresets = () =>
  useQuery({
    queryKey: ['signature presets'],
    queryFn: ({ signal }) => requestJson<One<SignaturePreset[]>>('/v2/signature-presets', { signal }),
    select: ({ data }) => data,
    staleTime: Number.POSITIVE_INFINITY,
  });
