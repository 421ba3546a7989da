import { isObject, type JsonValue } from '../values/json-value.js';

/** The alert for a message that Amazon SNS sends when a subscription is created or ends. */
export interface SnsConfirmation {
  title: string;
  description: string;
}

/** The host of a link that Amazon SNS itself sends. China has a separate domain. */
const SNS_HOST = /^sns\.[a-z0-9-]+\.amazonaws\.com(?:\.cn)?$/;

/**
 * Recognizes a subscription or unsubscription confirmation of Amazon SNS, and returns null for any other payload. The link is
 * text for a person to read and open; Muster opens it only when an operator confirms the subscription. Anybody who knows a webhook's
 * URL can send such a confirmation, so the text warns if the link leads anywhere but to Amazon SNS.
 * https://docs.aws.amazon.com/sns/latest/dg/http-subscription-confirmation-json.html
 */
export function snsConfirmation(payload: JsonValue): SnsConfirmation | null {
  if (!isObject(payload)) return null;
  const { Type: type, TopicArn: topic, SubscribeURL: link, Token: token } = payload;
  if (typeof topic !== 'string' || typeof link !== 'string' || typeof token !== 'string') return null;
  if (type !== 'SubscriptionConfirmation' && type !== 'UnsubscribeConfirmation') return null;
  if (!leadsToSns(link)) return suspicious(topic, link);
  if (type === 'SubscriptionConfirmation') {
    const description = `Amazon SNS sends no messages from ${topic} until somebody opens this link: ${link}`;
    return { title: `Confirm the SNS subscription to ${topic}`, description };
  }
  const description = `Amazon SNS no longer sends messages from ${topic}. To subscribe again, open this link: ${link}`;
  return { title: `The SNS subscription to ${topic} has ended`, description };
}

/** Puts the warning first, because a long topic or link may be truncated and the warning must not be. */
function suspicious(topic: string, link: string): SnsConfirmation {
  const warning =
    'This request claims to come from Amazon SNS, but its link does not lead to an Amazon SNS host (sns.<region>.amazonaws.com).';
  return {
    title: `Suspicious SNS confirmation for ${topic}`,
    description: `${warning} Do not open the link unless you trust its sender. Topic: ${topic}. Link: ${link}`,
  };
}

/** Returns true for `https` on its standard port at an SNS host, with no user name that could be mistaken for the host. */
export function leadsToSns(link: string): boolean {
  if (!URL.canParse(link)) return false;
  const { protocol, hostname, port, username, password } = new URL(link);
  return protocol === 'https:' && port === '' && username + password === '' && SNS_HOST.test(hostname);
}
