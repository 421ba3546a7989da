import { Button, Group, Text } from '@mantine/core';
import type { SignaturePreset } from '../../http/types.ts';
import type { TabProps } from '../webhook/tab-props.ts';
import { useTemplates } from '../webhook/use-templates.ts';
import type { ParameterTexts } from './scheme-parameters.tsx';

interface ProposedProps extends TabProps {
  presets: readonly SignaturePreset[];
  accept: (scheme: string, parameters: ParameterTexts) => void;
}

/** Proposes the scheme of the integration's template, and says where to find the secret. */
export function ProposedScheme({ webhook, presets, accept }: ProposedProps) {
  const { data: templates } = useTemplates();
  const template = templates?.find(({ name }) => name === webhook.template);
  const proposed = template?.signature;
  const preset = presets.find(({ name }) => name === proposed?.scheme);
  if (!template || !proposed || !preset) return null;
  return (
    <Group gap="sm">
      <Text size="sm" style={{ flex: 1 }}>
        {template.title} can send “{preset.title}”: {proposed.setup}.
      </Text>
      <Button variant="default" size="xs" onClick={() => accept(proposed.scheme, proposed.parameters)}>
        Use this scheme
      </Button>
    </Group>
  );
}
