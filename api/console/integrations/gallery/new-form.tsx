import { Button, Paper, Stack, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { WebhookTemplate } from '../../http/types.ts';
import { Failure } from '../../parts/feedback/failure.tsx';
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
          <TextInput
            label="Name"
            description="For example the team or system that sends these alerts"
            placeholder="Checkout alerts"
            required
            maxLength={100}
            value={name}
            onChange={({ currentTarget }) => setTypedName(currentTarget.value || null)}
          />
          <Textarea
            label="Description"
            autosize
            minRows={2}
            maxLength={1_000}
            value={description}
            onChange={({ currentTarget }) => setDescription(currentTarget.value)}
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
