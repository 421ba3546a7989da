import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import type { WebhookNames } from './use-webhook-names.ts';

/** An integration's name, with the way there while it exists. */
export const WebhookName = ({ id, names }: { id: string; names: WebhookNames }) =>
  names.isThere(id) ? (
    <Anchor component={Link} href={`/integrations/${id}`} size="sm">
      <bdi>{names.nameOf(id)}</bdi>
    </Anchor>
  ) : (
    names.nameOf(id)
  );
