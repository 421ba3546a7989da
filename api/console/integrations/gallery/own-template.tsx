import { Button, Group, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { request } from '../../http/request.ts';
import type { WebhookTemplate } from '../../http/types.ts';
import { useCurrentKey, useMay } from '../../http/use-current-key.ts';
import { announce } from '../../parts/feedback/announce.tsx';
import { Confirm } from '../../parts/feedback/confirm.tsx';
import { Dialog } from '../../parts/feedback/dialog.tsx';
import { Failure } from '../../parts/feedback/failure.tsx';
import { FormActions } from '../../parts/feedback/form-actions.tsx';
import { templatesKey } from '../webhook/use-templates.ts';

/** The description of a saved template, with the buttons to edit and delete it. */
export function OwnTemplate({ template }: { template: WebhookTemplate }) {
  const [isEditing, setEditing] = useState(false);
  const cache = useQueryClient();
  const { name, title, description, savedBy, ownerId } = template;
  const { data: key } = useCurrentKey();
  const isOwn = ownerId !== null && key?.id === ownerId;
  const mayChange = useMay('webhooks:write:all') || isOwn;
  const remove = async () => {
    await request(pathOf(name), { method: 'DELETE' });
    await cache.invalidateQueries({ queryKey: templatesKey });
    announce(`Deleted the template ${title}`);
  };
  return (
    <>
      {description !== '' && <Text size="sm">{description}</Text>}
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          {savedBy ? `Saved by ${savedBy.name}` : 'Saved by your team'}
        </Text>
        {mayChange ? (
          <Group gap="xs">
            <Button size="xs" variant="default" onClick={() => setEditing(true)}>
              Edit
            </Button>
            <Confirm label="Delete" title={`Delete the template ${title}?`} onConfirm={remove}>
              Integrations that were created with it keep their mapping. You cannot undo this.
            </Confirm>
          </Group>
        ) : (
          <Text size="sm" c="dimmed">
            To change it, sign in with the key that created it, or with one that has the scope
            webhooks:write:all.
          </Text>
        )}
      </Group>
      {isEditing && <EditTemplate template={template} close={() => setEditing(false)} />}
    </>
  );
}

function EditTemplate({ template, close }: { template: WebhookTemplate; close(): void }) {
  const [title, setTitle] = useState(template.title);
  const [description, setDescription] = useState(template.description);
  // The list may be reloaded while the dialog is open. What is saved is a change of what the dialog showed.
  const [{ revision }] = useState(template);
  const cache = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: (json: object) =>
      request(pathOf(template.name), {
        method: 'PATCH',
        json,
        headers: { 'if-match': `"${revision}"` },
      }),
    onSuccess: async () => {
      await cache.invalidateQueries({ queryKey: templatesKey });
      announce('Saved the template');
      close();
    },
    onError: () => cache.invalidateQueries({ queryKey: templatesKey }),
  });
  const save = (event: FormEvent) => {
    event.preventDefault();
    mutate({ title: title.trim(), description: description.trim() });
  };
  return (
    <Dialog onClose={close} title="Edit template">
      <Stack component="form" onSubmit={save}>
        <TextInput
          label="Title"
          required
          maxLength={100}
          value={title}
          onChange={({ currentTarget }) => setTitle(currentTarget.value)}
          data-autofocus
        />
        <Textarea
          label="Description"
          autosize
          minRows={2}
          maxLength={1_000}
          value={description}
          onChange={({ currentTarget }) => setDescription(currentTarget.value)}
        />
        {error && <Failure error={error} title="Could not save the template" />}
        <FormActions submit="Save" cancel={close} isBusy={isPending} isIncomplete={title.trim() === ''} />
      </Stack>
    </Dialog>
  );
}

const pathOf = (name: string): string => `/v2/webhook-templates/${encodeURIComponent(name)}`;
