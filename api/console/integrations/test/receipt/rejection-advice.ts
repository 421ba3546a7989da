/** Returns what to do next if an integration's URL responded with this status; 0 for no response. */
export function rejectionAdvice(status: number): string {
  return ADVICE[status] ?? 'The API’s log has the details under the request ID.';
}

const ADVICE: Record<number, string> = {
  0: 'Muster did not respond. Check that it is running and that this browser can reach it.',
  400: 'A source that posts this payload gets the same response. The event is stored with the rejected events, where you can inspect it.',
  401: 'The integration requires a signature, and this one is invalid. Check the secret under “URL and security”.',
  404: 'No integration has this URL. It was replaced or deleted. Copy the current URL under “URL and security”.',
  413: 'The event is too large. Have the source send less, or raise INTAKE_MAX_BYTES.',
  415: 'Send the event without compression.',
  429: 'The integration received more events this minute than its rate limit allows. Wait, or raise the limit under “URL and security”.',
  503: 'A source that retries after 503 loses no events. The Health page shows the cause.',
};
