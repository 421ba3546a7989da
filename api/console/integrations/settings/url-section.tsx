import { Stack, Text } from '@mantine/core';
import type { Webhook } from '../../http/types.ts';
import { Section } from '../../parts/section.tsx';
import { Ago } from '../../parts/values/ago.tsx';
import { CopyText } from '../../parts/values/copy.tsx';
import type { TabProps } from '../webhook/tab-props.ts';
import { RotateUrl } from './rotate-url.tsx';

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
