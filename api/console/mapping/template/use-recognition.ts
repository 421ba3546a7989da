import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { requestJson } from '../../http/request.ts';
import type { One, TemplateRecognition } from '../../http/types.ts';
import type { Subject } from '../model/preview-body.ts';
import { sampleContent } from '../sample/sample-content.ts';

/** After the last change of a pasted payload. */
const DELAY_MS = 400;

/** Loads the templates that fit a payload. A subject of null loads nothing. */
export function useRecognition(subject: Subject | null): TemplateRecognition | null {
  const [settled] = useDebouncedValue(subject && JSON.stringify(subject), DELAY_MS);
  const { data } = useQuery({
    queryKey: ['recognized template', settled],
    queryFn: async ({ signal }) => {
      const content = await sampleContent(JSON.parse(settled as string), signal);
      if (content === null) return null;
      const request = content.request ? `,"request":${JSON.stringify(content.request)}` : '';
      const { data: found } = await requestJson<One<TemplateRecognition>>(
        '/v2/webhook-templates/recognize',
        // The payload is inserted as it is, so its numbers keep all their digits.
        { method: 'POST', jsonText: `{"payload":${content.payload}${request}}`, signal },
      );
      return found;
    },
    enabled: settled !== null,
    staleTime: 60_000,
    gcTime: 0,
  });
  return settled === null ? null : (data ?? null);
}
