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

/** The new integration's URL, and what to do with it. */
export function Made({ id }: { id: string }) {
  const { data: webhook, error, refetch } = useWebhook(id);
  if (!webhook && error) {
    return <Failure error={error} title="The integration could not be read" retry={refetch} />;
  }
  if (!webhook) return <Loading />;
  return (
    <>
      <PageHead title={`${webhook.name} is ready`}>Its URL takes events from now on.</PageHead>
      <Paper withBorder p="lg" className={styles.made}>
        <Stack>
          <Title order={2} size="h4">
            Webhook URL
          </Title>
          <CopyText text={webhook.url ?? 'cannot be shown'} what="the URL" />
          <WhatToDo webhook={webhook} />
          <Group>
            <Button
              component={Link}
              href={`/integrations/${id}/mapping`}
              rightSection={<IconArrowRight size={16} />}
            >
              Draw the mapping
            </Button>
            <Button component={Link} href={`/integrations/${id}/test`} variant="default">
              Send a test event
            </Button>
          </Group>
        </Stack>
      </Paper>
    </>
  );
}

function WhatToDo({ webhook }: { webhook: Webhook }) {
  const { data: templates } = useTemplates();
  const template = templates?.find(({ name }) => name === webhook.template);
  return (
    <List size="sm" spacing="xs" type="ordered">
      <List.Item>
        {template ? `In ${template.title}, make` : 'In the system that sends the alerts, make'} a webhook that
        posts JSON to this URL. {template && <DocumentationLink address={template.documentation} />}
      </List.Item>
      <List.Item>
        Treat the URL like a password: whoever has it can send events. It can be shown again, and replaced,
        under “URL and security”; signatures can be asked for there too.
      </List.Item>
      <List.Item>
        {template
          ? 'The template’s mapping works already. Look over it with a sample or with the next real event.'
          : 'Draw how its fields become those of an alert, over a sample or over the next real event.'}
      </List.Item>
    </List>
  );
}
