import { Stack } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { Section } from '../../parts/section.tsx';
import { NameFields } from '../webhook/name-fields.tsx';
import type { TabProps } from '../webhook/tab-props.ts';
import { SaveRow } from './save-row.tsx';
import { useChangeWebhook } from './use-change-webhook.ts';

/** Changes the integration's name and description. */
export function NameSection({ webhook }: TabProps) {
  const [name, setName] = useState(webhook.name);
  const [description, setDescription] = useState(webhook.description);
  const { mutate, isPending, isSuccess, error } = useChangeWebhook(webhook.id);
  const json = { name: name.trim(), description: description.trim() };
  const isChanged = json.name !== webhook.name || json.description !== webhook.description;
  const save = (event: FormEvent) => {
    event.preventDefault();
    mutate({ method: 'PATCH', json, done: 'Saved the name' });
  };
  return (
    <Section
      title="Name"
      about="For the people who work with the integration. A new name does not change its events or alerts."
    >
      <Stack component="form" onSubmit={save}>
        <NameFields name={name} onName={setName} description={description} onDescription={setDescription} />
        <SaveRow
          isChanged={isChanged && json.name !== ''}
          isPending={isPending}
          isSaved={isSuccess}
          error={error}
        />
      </Stack>
    </Section>
  );
}
