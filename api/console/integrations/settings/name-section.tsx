import { Stack } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Webhook } from '../../http/types.ts';
import { Overtaken, SaveRow } from '../../parts/saving/save-section.tsx';
import { Section } from '../../parts/section.tsx';
import { NameFields } from '../webhook/name-fields.tsx';
import type { TabProps } from '../webhook/tab-props.ts';
import { useSaveSection } from './use-save-section.ts';

type Texts = Pick<Webhook, 'name' | 'description'>;

const DONE = 'Saved the name';
const textsOf = ({ name, description }: Texts): Texts => ({ name, description });
const describe = ({ name, description }: Texts): string => [name, description].filter(Boolean).join('\n');

/** Changes the integration's name and description. */
export function NameSection({ webhook }: TabProps) {
  const [name, setName] = useState(webhook.name);
  const [description, setDescription] = useState(webhook.description);
  const { save, replace, accept, theirs, isPending, isSuccess, error } = useSaveSection(webhook, textsOf);
  const json = { name: name.trim(), description: description.trim() };
  const isChanged = json.name !== webhook.name || json.description !== webhook.description;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save(json, DONE);
  };
  const take = (newer: Webhook) => {
    setName(newer.name);
    setDescription(newer.description);
    accept(newer);
  };
  return (
    <Section
      title="Name"
      about="For the people who work with the integration. A new name does not change its events or alerts."
    >
      <Stack component="form" onSubmit={submit}>
        <NameFields name={name} onName={setName} description={description} onDescription={setDescription} />
        <Overtaken
          theirs={theirs}
          describe={describe}
          yours={describe(json)}
          take={take}
          keep={(newer) => replace(newer, json, DONE)}
        />
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
