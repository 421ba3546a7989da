import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import type { WebhookNames } from './use-webhook-names.ts';

/** An integration's name, as a link while the integration exists. */
export const WebhookName = ({ id, names }: { id: string; names: WebhookNames }) =>
  names.exists(id) ? (
    <Anchor component={Link} href={`/integrations/${id}`} size="sm">
      <bdi>{names.nameOf(id)}</bdi>
    </Anchor>
  ) : (
    names.nameOf(id)
  );
