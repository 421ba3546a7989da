import { useQuery } from '@tanstack/react-query';
import { requestJson } from '../../http/request.ts';
import type { One, WebhookTemplate } from '../../http/types.ts';

export const templatesKey = ['webhook templates'];

/** Loads all templates once. Saving, editing or deleting one in this tab loads them again. */
export const useTemplates = () =>
  useQuery({
    queryKey: templatesKey,
    queryFn: ({ signal }) => requestJson<One<WebhookTemplate[]>>('/v2/webhook-templates', { signal }),
    select: ({ data }) => data,
    staleTime: Number.POSITIVE_INFINITY,
  });
