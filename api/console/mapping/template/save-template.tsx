import { Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { requestJson } from '../../http/request.ts';
import type { One, WebhookTemplate } from '../../http/types.ts';
import { useSendOnce } from '../../http/use-send-once.ts';
import { templatesKey } from '../../integrations/webhook/use-templates.ts';
import { announce } from '../../parts/feedback/announce.tsx';
import { Dialog } from '../../parts/feedback/dialog.tsx';
import { Failure } from '../../parts/feedback/failure.tsx';
import { FormActions } from '../../parts/feedback/form-actions.tsx';
import { toMapping } from '../model/draft/draft.ts';
import { sampleContent } from '../sample/sample-content.ts';
import { useEditorContext } from '../state/editor-context.tsx';

/** Saves the draft and the sample payload as a template for new integrations. */
export function SaveTemplate({ close }: { close(): void }) {
  const { webhook, sample } = useEditorContext();
  const [title, setTitle] = useState(webhook.name);
  const [typedName, setTypedName] = useState<string | null>(null);
  const [description, setDescription] = useState('');
  const { mutate, isPending, error } = useSaveTemplate(close);
  const name = typedName ?? templateNameOf(title);
  const save = (event: FormEvent) => {
    event.preventDefault();
    mutate({ name, title: title.trim(), description: description.trim() });
  };
  return (
    <Dialog onClose={close} title="Save as template" size="lg">
      <Stack component="form" onSubmit={save}>
        <Text size="sm" c="dimmed">
          New integrations can start with this mapping, and payloads like the sample are recognized. Everybody
          who can see integrations can read the sample, so it must not contain secrets.
        </Text>
        <TextInput
          label="Title"
          required
          maxLength={100}
          value={title}
          onChange={({ currentTarget }) => setTitle(currentTarget.value)}
          data-autofocus
        />
        <TextInput
          label="Name"
          description="Identifies the template in the API: lower-case letters, digits and hyphens"
          required
          maxLength={40}
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
        {sample.subject === null && <Text size="sm">Choose a sample payload first.</Text>}
        {error && <Failure error={error} title="Could not save the template" />}
        <FormActions
          submit="Save template"
          cancel={close}
          isBusy={isPending}
          isIncomplete={name === '' || title.trim() === '' || sample.subject === null}
        />
      </Stack>
    </Dialog>
  );
}

type Texts = Pick<WebhookTemplate, 'name' | 'title' | 'description'>;

function useSaveTemplate(done: () => void) {
  const { draft, sample } = useEditorContext();
  const cache = useQueryClient();
  const once = useSendOnce();
  return useMutation({
    mutationFn: async (texts: Texts) => {
      const content = sample.subject && (await sampleContent(sample.subject));
      if (content === null) throw new Error('The sample payload is not JSON. Choose another one.');
      const head = JSON.stringify({ ...texts, mapping: toMapping(draft) }).slice(0, -1);
      const jsonText = `${head},"sample":${content.payload}}`;
      return once(jsonText, (key) =>
        requestJson<One<WebhookTemplate>>('/v2/webhook-templates', {
          method: 'POST',
          jsonText,
          headers: { 'idempotency-key': key },
        }),
      );
    },
    onSuccess: async ({ data }) => {
      await cache.invalidateQueries({ queryKey: templatesKey });
      announce(`Saved the template ${data.title}`);
      done();
    },
  });
}

/** Returns a name that the API accepts for a template of this title, or an empty text if the title has no usable letter. */
const templateNameOf = (title: string): string =>
  title
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, 40)
    .replace(/-$/, '');
