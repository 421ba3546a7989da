/** Returns the id of a message, the same at each attempt. Standard Webhooks does not allow dots in it. */
export const messageId = (transitionId: number, destinationId: string): string =>
  `msg_${transitionId}_${destinationId.slice(-12)}`;
