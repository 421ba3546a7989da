import { Stack, Text } from '@mantine/core';
import type { Webhook } from '../../http/types.ts';
import { Section } from '../../parts/section.tsx';
import { Ago } from '../../parts/values/ago.tsx';
import { CopyText } from '../../parts/values/copy.tsx';
import type { TabProps } from '../webhook/tab-props.ts';
import { RotateUrl } from './rotate-url.tsx';

/** The URL that events are sent to, those before it that still work, and a new one when it has become known. */
export function UrlSection({ webhook, may }: TabProps & { may: boolean }) {
  const [present, ...earlier] = webhook.urls;
  return (
    <Section
      title="Webhook URL"
      about="Whoever has it can send events. Replace it when it has come into the wrong hands."
    >
      <Stack>
        {present && <Url url={present} what="the URL" />}
        {!may && <Text size="sm">This key has no scope webhooks:write, so the secret part is masked.</Text>}
        {present?.url === null && may && (
          <Text size="sm">
            It was stored under another SECRET_KEY and cannot be shown again. It still works; a new one can be
            made.
          </Text>
        )}
        {earlier.map((url) => (
          <Url key={url.createdAt} url={url} what="an earlier URL" />
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
        An earlier URL, works until it ends <Ago at={url.expiresAt} />
      </Text>
    )}
    <CopyText text={url.url ?? 'cannot be shown'} what={what} />
    <Text size="sm" c="dimmed" mt={4}>
      Made <Ago at={url.createdAt} /> ·{' '}
      {url.lastUsedAt ? (
        <>
          last event <Ago at={url.lastUsedAt} />
        </>
      ) : (
        'no event came by it yet'
      )}
    </Text>
  </div>
);
