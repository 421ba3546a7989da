/** Returns the path of the heartbeats of an integration. */
export const heartbeatsPath = (webhookId: string): string => `/v2/webhooks/${webhookId}/heartbeats`;
