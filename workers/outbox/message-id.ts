/**
 * Returns the id of a message, the same at each attempt. Standard Webhooks does not allow dots in it.
 * @param copy how often the message was sent again as a new one
 */
export const messageId = (transitionId: number, destinationId: string, copy = 0): string =>
  `msg_${transitionId}_${destinationId.slice(-12)}${copy === 0 ? '' : `_${copy}`}`;
