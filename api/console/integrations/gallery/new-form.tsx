import { Button, Paper, Stack, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { WebhookTemplate } from '../../http/types.ts';
import { Failure } from '../../parts/feedback/failure.tsx';
import styles from './gallery.module.css';
import { TemplateGlimpse } from './template-glimpse.tsx';
import { useMakeWebhook } from './use-create-webhook.ts';

/** The name and description of what is about to be made, and what its template knows of the source. */
export function NewForm({ template }: { template: WebhookTemplate | null }) {
  const [typedName, setTypedName] = useState<string | null>(null);
  const [description, setDescription] = useState('');
  const { make, isPending, error } = useMakeWebhook();
  const name = typedName ?? template?.title ?? '';
  const send = (event: FormEvent) => {
    event.preventDefault();
    make({ name: name.trim(), description: description.trim(), template: template?.name ?? null });
  };
  return (
    <div className={styles.chosen}>
      <Paper component="form" withBorder p="md" onSubmit={send} aria-label="The new integration">
        <Stack gap="sm">
          <TextInput
            label="Name"
            description="Yours to choose: the team or the system whose alerts come in"
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
          {error && <Failure error={error} title="The integration could not be made" />}
          <Button type="submit" loading={isPending} disabled={name.trim() === ''}>
            Create integration
          </Button>
        </Stack>
      </Paper>
      <TemplateGlimpse template={template} />
    </div>
  );
}
