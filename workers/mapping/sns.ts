import { isObject, type JsonValue } from './values.js';

/** What Amazon SNS sends before it sends anything else, and when a subscription ends. */
export interface SnsConfirmation {
  title: string;
  description: string;
}

/**
 * Recognizes a (un)subscription confirmation of Amazon SNS. Its link is text for a person to look at and open; no
 * request is ever made to an address out of a payload.
 * https://docs.aws.amazon.com/sns/latest/dg/http-subscription-confirmation-json.html
 */
export function snsConfirmation(payload: JsonValue): SnsConfirmation | null {
  if (!isObject(payload)) return null;
  const { Type: type, TopicArn: topic, SubscribeURL: link, Token: token } = payload;
  if (typeof topic !== 'string' || typeof link !== 'string' || typeof token !== 'string') return null;
  if (type === 'SubscriptionConfirmation') {
    const description = `Amazon SNS sends nothing of ${topic} until somebody opens this link: ${link}`;
    return { title: `Confirm the SNS subscription to ${topic}`, description };
  }
  if (type !== 'UnsubscribeConfirmation') return null;
  const description = `Amazon SNS sends nothing more of ${topic}. To subscribe again, open this link: ${link}`;
  return { title: `The SNS subscription to ${topic} has ended`, description };
}
