import { useQuery } from '@tanstack/react-query';
import { requestJson } from '../../http/request.ts';
import type { One, WebhookTemplate } from '../../http/types.ts';

/** Loads the template catalogue. It changes only with Muster's version, so it is loaded once. */
export const useTemplates = () =>
  useQuery({
    queryKey: ['webhook templates'],
    queryFn: ({ signal }) => requestJson<One<WebhookTemplate[]>>('/v2/webhook-templates', { signal }),
    select: ({ data }) => data,
    staleTime: Number.POSITIVE_INFINITY,
  });
