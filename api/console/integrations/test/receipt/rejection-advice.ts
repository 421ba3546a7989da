/** What to do when an integration's URL did not take an event, by the status it answered. */
export function refusalAdvice(status: number): string {
  return ADVICE[status] ?? 'The log of the API says more, under the number of the request.';
}

const ADVICE: Record<number, string> = {
  0: 'Nothing answered. Is Muster running, and can this browser reach it?',
  400: 'A sender that posts this gets the same answer. It is kept among the rejected events, so that you can look at what came.',
  401: 'The integration checks signatures, and this one does not fit. Look at the secret under “URL and security”.',
  404: 'No integration has this URL any more. It was replaced or deleted: copy the present one under “URL and security”.',
  413: 'Larger events are not taken. Have the source send less, or raise INTAKE_MAX_BYTES.',
  415: 'Send it as it is, without compression.',
  429: 'More events came in this minute than the integration allows. Wait, or raise the limit under “URL and security”.',
  503: 'A source that tries again after 503 loses nothing. Look at Health for what is in the way.',
};
