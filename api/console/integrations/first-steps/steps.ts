import type { Webhook } from '../../http/types.ts';
import { lastUsedAt } from '../webhook/last-used.ts';

export interface FirstStep {
  title: string;
  text: string;
  isDone: boolean;
  /** Where to do it; null while an earlier step is open. */
  href: string | null;
}

/** Returns the steps from nothing to the first alert, and which of them the integrations have done. `webhooks` is newest first. */
export function firstSteps(
  webhooks: readonly Pick<Webhook, 'id' | 'mappingRevision' | 'urls'>[],
): FirstStep[] {
  const [newest] = webhooks;
  const page = (tab: string) => (newest ? `/integrations/${newest.id}/${tab}` : null);
  return [
    {
      title: 'Create an integration',
      text: 'It gives you a URL for a system that sends alerts, such as your monitoring.',
      isDone: newest !== undefined,
      href: '/integrations/new',
    },
    {
      title: 'Map the fields',
      text: 'The mapping turns what the system sends into alerts. A template of the gallery brings one.',
      isDone: webhooks.some(({ mappingRevision }) => mappingRevision > 0),
      href: page('mapping'),
    },
    {
      title: 'Send a test',
      text: 'Send an event from here or from a terminal, and follow it to its alert.',
      isDone: webhooks.some((webhook) => lastUsedAt(webhook) !== null),
      href: page('test'),
    },
  ];
}
