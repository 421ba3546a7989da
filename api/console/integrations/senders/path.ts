/** Returns the path of what sends to an integration. */
export const sendersPath = (webhookId: string): string => `/v2/webhooks/${webhookId}/senders`;

/** Returns the path of the tokens that an integration imported. */
export const importedTokensPath = (webhookId: string): string => `/v2/webhooks/${webhookId}/imported-tokens`;
