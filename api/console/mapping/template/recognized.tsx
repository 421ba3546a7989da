import { Alert, Button, Group, Text } from '@mantine/core';
import { IconSparkles } from '@tabler/icons-react';
import type { Mapping } from '../../http/types.ts';
import { useTemplates } from '../../integrations/webhook/use-templates.ts';
import { announce } from '../../parts/feedback/announce.tsx';
import { counted } from '../../text/quantities.ts';
import shared from '../mapping.module.css';
import { toDraft } from '../model/draft/draft.ts';
import { useEditorContext } from '../state/editor-context.tsx';
import { useRecognition } from './use-recognition.ts';

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
