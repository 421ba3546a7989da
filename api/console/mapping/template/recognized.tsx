import { Alert, Button, Group, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSparkles } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { requestJson } from '../../http/request.ts';
import type { Mapping, One, TemplateRecognition } from '../../http/types.ts';
import { useTemplates } from '../../integrations/webhook/use-templates.ts';
import { announce } from '../../parts/feedback/announce.tsx';
import { counted } from '../../text/quantities.ts';
import shared from '../mapping.module.css';
import { toDraft } from '../model/draft/draft.ts';
import type { Subject } from '../model/preview-body.ts';
import { sampleContent } from '../sample/sample-content.ts';
import { useEditorContext } from '../state/editor-context.tsx';

/** Offers the template that fits the payload of an integration without a mapping. Taking it changes only the draft. */
export function Recognized() {
  const { base, count, mayWrite, sample, dispatch } = useEditorContext();
  const isBlank = mayWrite && base.revision === 0 && count === 0;
  const found = useRecognition(isBlank && sample.kind !== 'sample' ? sample.subject : null);
  const { data: templates } = useTemplates();
  const best = found?.recognized ? found.candidates[0] : undefined;
  const template = templates?.find(({ name }) => name === best?.name);
  if (!isBlank || !best || !template) return null;
  const take = () => {
    dispatch({ type: 'replace', draft: toDraft(template.mapping as Mapping) });
    announce(`The draft now has the mapping of ${template.title}. Review and save it.`);
  };
  return (
    <Alert
      className={shared.offer}
      mb="md"
      role="status"
      icon={<IconSparkles size={18} aria-hidden />}
      title={`This looks like ${best.title} (${best.matchedPaths} of ${counted(best.requiredPaths, 'path')})`}
    >
      <Group justify="space-between" gap="sm">
        <Text size="sm">
          Its template fills {Math.round(best.fillRate * 100)}% of its fields from this payload. You can check
          and change the mapping before you save it.
        </Text>
        <Button size="compact-sm" onClick={take}>
          Use this template
        </Button>
      </Group>
    </Alert>
  );
}

/** After the last change of a pasted payload. */
const DELAY_MS = 400;

/** Loads the templates that fit a payload. A subject of null loads nothing. */
function useRecognition(subject: Subject | null): TemplateRecognition | null {
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
