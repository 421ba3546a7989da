import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { Mapping, WebhookTemplate } from '../../http/types.ts';
import { Badge } from '../../parts/values/badge.tsx';
import { Raw } from '../../parts/values/raw.tsx';
import { DocumentationLink } from './documentation-link.tsx';
import { OwnTemplate } from './own-template.tsx';
import { SourceLogo } from './source-logo.tsx';
import { filledFields } from './template-search.ts';

/** A summary of a template: the alert fields that it fills and a sample payload; or what happens without a template. */
export function TemplateSummary({ template }: { template: WebhookTemplate | null }) {
  if (template === null) return <NoTemplate />;
  const { fields, custom, deduplicates } = filledFields(template);
  const { split } = template.mapping as Mapping;
  return (
    <Paper withBorder p="md" component="section" aria-label="Template">
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
        {template.origin === 'saved' && <OwnTemplate key={template.name} template={template} />}
        <Fields title="Alert fields" names={fields} tone="good" />
        {custom.length > 0 && <Fields title="Custom fields" names={custom} tone="plain" />}
        {deduplicates && (
          <Text size="sm">
            Creates one alert for each problem: repeated events are merged, and a recovery resolves it.
          </Text>
        )}
        {split && (
          <Text size="sm">
            Creates one alert for each item of <code>{split}</code>.
          </Text>
        )}
        <Text size="sm" fw={600}>
          Sample payload
        </Text>
        <Raw text={JSON.stringify(template.sample, null, 2)} label="Sample payload" />
      </Stack>
    </Paper>
  );
}

const Fields = ({ title, names, tone }: { title: string; names: string[]; tone: 'good' | 'plain' }) => (
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

const NoTemplate = () => (
  <Paper withBorder p="md" component="section" aria-label="No template">
    <Text size="sm" fw={600} mb={4}>
      No template
    </Text>
    <Text size="sm" c="dimmed">
      The URL accepts any JSON, and every event is stored. Until the integration has a mapping, each event
      creates one incomplete alert. Send a real event, map its fields, then remap the earlier alerts.
    </Text>
  </Paper>
);
