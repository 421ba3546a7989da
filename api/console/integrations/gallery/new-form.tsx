import { Button, Paper, Stack } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { requestJson } from '../../http/request.ts';
import type { One, Webhook, WebhookTemplate } from '../../http/types.ts';
import { useSendOnce } from '../../http/use-send-once.ts';
import { announce } from '../../parts/feedback/announce.tsx';
import { Failure } from '../../parts/feedback/failure.tsx';
import { NameFields } from '../webhook/name-fields.tsx';
import { webhookKey } from '../webhook/use-webhook.ts';
import styles from './gallery.module.css';
import { TemplateSummary } from './template-summary.tsx';

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

interface NewWebhook {
  name: string;
  description: string;
  template: string | null;
}

/**
 * Creates an integration and opens the page that shows its URL. Submitting the same form again after a lost response
 * creates it once.
 */
function useCreateWebhook() {
  const cache = useQueryClient();
  const [, navigate] = useLocation();
  const once = useSendOnce();
  const { mutate, isPending, error } = useMutation({
    mutationFn: (json: NewWebhook) =>
      once(json, (key) =>
        requestJson<One<Webhook>>('/v2/webhooks', {
          method: 'POST',
          json,
          headers: { 'idempotency-key': key },
        }),
      ),
    onSuccess: (created) => {
      cache.setQueryData(webhookKey(created.data.id), created);
      void cache.invalidateQueries({ queryKey: ['/v2/webhooks'] });
      announce(`Created integration ${created.data.name}`);
      navigate(`/integrations/new?made=${created.data.id}`, { replace: true });
    },
  });
  return { create: mutate, isPending, error };
}
