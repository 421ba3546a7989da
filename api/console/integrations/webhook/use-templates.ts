import { useQuery } from '@tanstack/react-query';
import { requestJson } from '../../http/request.ts';
import type { One, WebhookTemplate } from '../../http/types.ts';

/** The catalogue of known sources. It changes only with another version of Muster. */
export const useTemplates = () =>
  useQuery({
    queryKey: ['webhook templates'],
    queryFn: ({ signal }) => requestJson<One<WebhookTemplate[]>>('/v2/webhook-templates', { signal }),
    select: ({ data }) => data,
    staleTime: Number.POSITIVE_INFINITY,
  });
