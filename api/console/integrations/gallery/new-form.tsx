import { Button, Paper, Stack } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { WebhookTemplate } from '../../http/types.ts';
import { Failure } from '../../parts/feedback/failure.tsx';
import { NameFields } from '../webhook/name-fields.tsx';
import styles from './gallery.module.css';
import { TemplateSummary } from './template-summary.tsx';
import { useCreateWebhook } from './use-create-webhook.ts';

/** The form for the new integration's name and description, with a summary of the chosen template. */
export function NewForm({ template }: { template: WebhookTemplate | null }) {
  const [typedName, setTypedName] = useState<string | null>(null);
  const [description, setDescription] = useState('');
  const { create, isPending, error } = useCreateWebhook();
  const name = typedName ?? template?.title ?? '';
  const send = (event: FormEvent) => {
    event.preventDefault();
    create({ name: name.trim(), description: description.trim(), template: template?.name ?? null });
  };
  return (
    <div className={styles.chosen}>
      <Paper component="form" withBorder p="md" onSubmit={send} aria-label="New integration">
        <Stack gap="sm">
          <NameFields
            name={name}
            onName={(typed) => setTypedName(typed || null)}
            description={description}
            onDescription={setDescription}
            nameInput={{
              description: 'For example the team or system that sends these alerts',
              placeholder: 'Checkout alerts',
            }}
          />
          {error && <Failure error={error} title="Could not create the integration" />}
          <Button type="submit" loading={isPending} disabled={name.trim() === ''}>
            Create integration
          </Button>
        </Stack>
      </Paper>
      <TemplateSummary template={template} />
    </div>
  );
}
