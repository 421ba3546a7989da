import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { Mapping, WebhookTemplate } from '../../http/types.ts';
import { Badge } from '../../parts/values/badge.tsx';
import { Raw } from '../../parts/values/raw.tsx';
import { DocumentationLink } from './documentation-link.tsx';
import { SourceLogo } from './source-logo.tsx';
import { filledFields } from './template-search.ts';

/** What a source sends and which of the alert's fields come of it; without a template, what happens then. */
export function TemplateGlimpse({ template }: { template: WebhookTemplate | null }) {
  if (template === null) return <Blank />;
  const { fields, custom } = filledFields(template);
  const { split } = template.mapping as Mapping;
  return (
    <Paper withBorder p="md" component="section" aria-label="The template">
      <Stack gap="sm">
        <Group gap="sm" wrap="nowrap">
          <SourceLogo name={template.name} title={template.title} />
          <div>
            <Title order={2} size="h5">
              {template.title}
            </Title>
            <DocumentationLink address={template.documentation} />
          </div>
        </Group>
        <Fields title="Fills" names={fields} tone="good" />
        {custom.length > 0 && <Fields title="And fields of its own" names={custom} tone="accent" />}
        {split && (
          <Text size="sm">
            Makes one alert of each item of <code>{split}</code>.
          </Text>
        )}
        <Text size="sm" fw={600}>
          What it sends
        </Text>
        <Raw text={JSON.stringify(template.sample, null, 2)} label="A sample of what the source sends" />
      </Stack>
    </Paper>
  );
}

const Fields = ({ title, names, tone }: { title: string; names: string[]; tone: 'good' | 'accent' }) => (
  <div>
    <Text size="sm" fw={600} mb={4}>
      {title}
    </Text>
    <Group gap={6}>
      {names.map((name) => (
        <Badge key={name} tone={tone}>
          {name}
        </Badge>
      ))}
    </Group>
  </div>
);

const Blank = () => (
  <Paper withBorder p="md" component="section" aria-label="Without a template">
    <Text size="sm" fw={600} mb={4}>
      Without a template
    </Text>
    <Text size="sm" c="dimmed">
      The URL takes any JSON from the first moment on, and nothing of it is lost: until there is a mapping,
      each event makes one incomplete alert. Send a real event, then draw the mapping over it and map the
      earlier ones again.
    </Text>
  </Paper>
);
