/** What Muster's alerts belong to that are about no integration. It is in no table: nobody sends to it, and nobody can change it. */
export const OWN_INTEGRATION = { id: '00000000-0000-8000-8000-6d7573746572', name: 'Muster' };

/** Returns the key of the alerts about a destination, without the prefix of Muster's own keys. */
export const destinationKey = (destinationId: string): string => `destination:${destinationId}`;

/** Returns whether an alert is about a destination. That one is not told of it. */
export const isAboutDestination = (
  { webhookId, dedupKey }: { webhookId: string; dedupKey: string | null },
  destinationId: string,
): boolean => webhookId === OWN_INTEGRATION.id && dedupKey === `muster:${destinationKey(destinationId)}`;
