import { Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';
import type { Coverage } from '../../http/types.ts';
import { Ago } from '../../parts/values/ago.tsx';

/** When an account system was uploaded last, with a link to the job and the name of the key. */
export const LastUpload = ({
  upload: { acceptedAt, jobId, apiKey, uploadLink },
}: {
  upload: NonNullable<Coverage['lastUpload']>;
}) => (
  <Text size="sm" component="div">
    {jobId ? (
      <Anchor component={Link} href={`/jobs/${jobId}`} size="sm">
        <Ago at={acceptedAt} />
      </Anchor>
    ) : (
      <Ago at={acceptedAt} />
    )}
    {apiKey && (
      <Text size="xs" c="dimmed">
        {uploadLink ? (
          <>
            upload link <bdi>{uploadLink.name}</bdi>, made by {apiKey.name}
          </>
        ) : (
          apiKey.name
        )}
      </Text>
    )}
  </Text>
);
