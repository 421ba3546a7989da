import { Button, Group, List, Paper, Stack, Title } from '@mantine/core';
import { IconArrowRight } from '@tabler/icons-react';
import { Link } from 'wouter';
import type { Webhook } from '../../http/types.ts';
import { Failure } from '../../parts/feedback/failure.tsx';
import { Loading } from '../../parts/feedback/loading.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { CopyText } from '../../parts/values/copy.tsx';
import { useTemplates } from '../webhook/use-templates.ts';
import { useWebhook } from '../webhook/use-webhook.ts';
import { DocumentationLink } from './documentation-link.tsx';
import styles from './gallery.module.css';

/** The new integration's URL and the next steps. */
export function IntegrationReady({ id }: { id: string }) {
  const { data: webhook, error, refetch } = useWebhook(id);
  const { data: templates } = useTemplates();
  if (!webhook && error) {
    return <Failure error={error} title="Could not load the integration" retry={refetch} />;
  }
  if (!webhook) return <Loading />;
  const dropInPath = templates?.find(({ name }) => name === webhook.template)?.dropInPath ?? null;
  return (
    <>
      <PageHead title={`${webhook.name} is ready`}>Its URL accepts events now.</PageHead>
      <Paper withBorder p="lg" className={styles.ready}>
        <Stack>
          <Title order={2} size="h4">
            Webhook URL
          </Title>
          <CopyText
            text={webhook.url ? webhook.url + (dropInPath ?? '') : 'Cannot be shown'}
            what="the URL"
          />
          {webhook.url && dropInPath !== null && <Key url={webhook.url} />}
          <NextSteps webhook={webhook} />
          <Group>
            <Button
              component={Link}
              href={`/integrations/${id}/mapping`}
              rightSection={<IconArrowRight size={16} />}
            >
              Edit mapping
            </Button>
            <Button component={Link} href={`/integrations/${id}/test`} variant="default">
              Send test event
            </Button>
          </Group>
        </Stack>
      </Paper>
    </>
  );
}

/** The token of a webhook URL, for programs of which only the host can be set. */
const Key = ({ url }: { url: string }) => (
  <>
    <Title order={2} size="h4">
      Key
    </Title>
    <CopyText text={url.slice(url.lastIndexOf('/') + 1)} what="the key" />
  </>
);

function NextSteps({ webhook }: { webhook: Webhook }) {
  const { data: templates } = useTemplates();
  const template = templates?.find(({ name }) => name === webhook.template);
  const isDropIn = template?.dropInPath != null;
  return (
    <List size="sm" spacing="xs" type="ordered">
      <List.Item>
        {isDropIn
          ? ''
          : `In ${template ? template.title : 'the system that sends the alerts'}, create a webhook that posts JSON to this URL. `}
        {template?.options && `${template.options}. `}
        {template && <DocumentationLink address={template.documentation} />}
      </List.Item>
      <List.Item>
        Treat the URL like a password: anyone who has it can send events. Under “URL and security” you can
        view it again, replace it and require signatures.
        {template?.signature && ` To get the secret: ${template.signature.setup}.`}
      </List.Item>
      <List.Item>
        {template
          ? 'The template’s mapping works as it is. Check it with the sample payload or the next real event.'
          : 'Map the fields of its payload to alert fields, with a sample payload or the next real event.'}
      </List.Item>
    </List>
  );
}
