import { Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Webhook } from '../../http/types.ts';
import { Confirm } from '../../parts/feedback/confirm.tsx';
import { DEFAULT_GRACE, GRACE_PERIODS } from '../../parts/saving/grace-periods.ts';
import { Section } from '../../parts/section.tsx';
import { Ago } from '../../parts/values/ago.tsx';
import { CopyText } from '../../parts/values/copy.tsx';
import type { TabProps } from '../webhook/tab-props.ts';
import { useChangeWebhook } from './use-change-webhook.ts';

/** Shows the current URL and the previous ones that still work, and replaces the current one. */
export function UrlSection({ webhook, may }: TabProps & { may: boolean }) {
  const [current, ...previous] = webhook.urls;
  return (
    <Section title="Webhook URL" about="Anyone who has this URL can send events. Replace it if it leaks.">
      <Stack>
        {current && <Url url={current} what="the URL" />}
        {!may && (
          <Text size="sm">The secret part is masked: this key does not have the scope webhooks:write.</Text>
        )}
        {current?.url === null && may && (
          <Text size="sm">
            The URL was encrypted with another SECRET_KEY and cannot be shown. It still works, and you can
            replace it.
          </Text>
        )}
        {previous.map((url) => (
          <Url key={url.createdAt} url={url} what="the previous URL" />
        ))}
        {may && <RotateUrl webhook={webhook} />}
      </Stack>
    </Section>
  );
}

const Url = ({ url, what }: { url: Webhook['urls'][number]; what: string }) => (
  <div>
    {url.expiresAt && (
      <Text size="sm" fw={600} mb={4}>
        Previous URL, expires <Ago at={url.expiresAt} />
      </Text>
    )}
    <CopyText text={url.url ?? 'Cannot be shown'} what={what} />
    <Text size="sm" c="dimmed" mt={4}>
      Created <Ago at={url.createdAt} /> ·{' '}
      {url.lastUsedAt ? (
        <>
          last event <Ago at={url.lastUsedAt} />
        </>
      ) : (
        'no events yet'
      )}
    </Text>
  </div>
);

/** Replaces the integration's URL. The current URL keeps working until the grace period ends. */
function RotateUrl({ webhook }: TabProps) {
  const [grace, setGrace] = useState(DEFAULT_GRACE);
  const { mutateAsync } = useChangeWebhook(webhook.id);
  const label = GRACE_PERIODS.find(({ value }) => value === grace)?.label;
  const rotate = () =>
    mutateAsync({
      method: 'POST',
      path: '/rotate',
      json: { graceSeconds: Number(grace) },
      done: 'Replaced the URL',
    });
  return (
    <Group align="flex-end" gap="sm">
      <NativeSelect
        label="Current URL expires"
        data={GRACE_PERIODS}
        value={grace}
        onChange={({ currentTarget }) => setGrace(currentTarget.value)}
      />
      <Confirm label="Replace URL" title="Replace the URL?" size="sm" color="violet" onConfirm={rotate}>
        {grace === '0'
          ? 'The current URL expires immediately. Events that a source still sends to it get a 404 response.'
          : `The current URL expires ${label}. Enter the new URL in the source before then.`}
      </Confirm>
    </Group>
  );
}
