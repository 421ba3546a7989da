import { NativeSelect, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Webhook } from '../../http/types.ts';
import { Overtaken, SaveRow } from '../../parts/saving/save-section.tsx';
import { Section } from '../../parts/section.tsx';
import type { TabProps } from '../webhook/tab-props.ts';
import { useSaveSection } from './use-save-section.ts';

type Challenge = Webhook['challenge'];

/** Sets the challenge that the integration responds to when a source checks its URL. */
export function HandshakeSection({ webhook, may }: TabProps & { may: boolean }) {
  return (
    <Section
      title="Handshake"
      about="Some sources check the URL with a challenge before they send events. Challenges are not stored."
    >
      {may ? <HandshakeForm webhook={webhook} /> : <Text size="sm">{titleOf(webhook)}</Text>}
    </Section>
  );
}

function HandshakeForm({ webhook }: TabProps) {
  const [challenge, setChallenge] = useState(webhook.challenge);
  const { save, replace, accept, theirs, isPending, isSuccess, error } = useSaveSection(webhook, challengeOf);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save({ challenge }, DONE);
  };
  const take = (newer: Webhook) => {
    setChallenge(newer.challenge);
    accept(newer);
  };
  return (
    <Stack component="form" onSubmit={submit}>
      <NativeSelect
        label="Challenge"
        description={CHOICES[challenge ?? 'none'].description}
        data={Object.entries(CHOICES).map(([value, { title }]) => ({ value, label: title }))}
        value={challenge ?? 'none'}
        onChange={({ currentTarget: { value } }) =>
          setChallenge(value === 'none' ? null : (value as Challenge))
        }
        inputWrapperOrder={['label', 'input', 'description']}
        maw="30rem"
      />
      <Overtaken
        theirs={theirs}
        describe={titleOf}
        yours={titleOf({ challenge })}
        take={take}
        keep={(newer) => replace(newer, { challenge }, DONE)}
      />
      <SaveRow
        isChanged={challenge !== webhook.challenge}
        isPending={isPending}
        isSaved={isSuccess}
        error={error}
      />
    </Stack>
  );
}

const DONE = 'Saved the handshake';
const challengeOf = ({ challenge }: Webhook) => challenge;
const titleOf = ({ challenge }: { challenge: Challenge }) => CHOICES[challenge ?? 'none'].title;

const CHOICES: Record<NonNullable<Challenge> | 'none', { title: string; description: string }> = {
  none: { title: 'None', description: 'Requests with a challenge are stored like any other event.' },
  cloudevents: {
    title: 'CloudEvents',
    description: 'An OPTIONS request asks for permission to send events. The response permits its origin.',
  },
  'event-grid': {
    title: 'Azure Event Grid',
    description: 'An event contains a validation code. The response repeats the code.',
  },
  'microsoft-graph': {
    title: 'Microsoft Graph',
    description: 'A request has a validation token in its query string. The response repeats the token.',
  },
  okta: {
    title: 'Okta',
    description: 'A GET request has a challenge in a header. The response repeats it as JSON.',
  },
  slack: {
    title: 'Slack',
    description: 'An event of the type url_verification contains a challenge. The response repeats it.',
  },
};
