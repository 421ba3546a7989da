import { leadsToSns } from '../../workers/mapping/index.js';
import type { OutboundClient } from '../../workers/outbound/outbound-client.js';
import { OutboundError } from '../../workers/outbound/outbound-error.js';
import type { SnsCertificates } from './sns-certificates.js';
import { readSnsMessage, type SnsConfirmationMessage } from './sns-message.js';
import { verifySnsMessage } from './verify-message.js';

const LIMITS = { timeoutMs: 5_000, maxBytes: 65_536 };

/**
 * Why a subscription was not confirmed. `invalid_…`: the message is not from SNS. `sns_unavailable`: SNS could not be reached; a
 * retry may succeed. `sns_rejected`: SNS rejected the confirmation.
 */
export type SnsFailureCode =
  | 'invalid_signature'
  | 'invalid_certificate'
  | 'invalid_subscribe_url'
  | 'sns_unavailable'
  | 'sns_rejected';

export class SnsConfirmationError extends Error {
  override name = 'SnsConfirmationError';
  readonly code: SnsFailureCode;

  constructor(code: SnsFailureCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Returns the request to confirm a subscription that a stored body holds, or null if it holds none. Verifies nothing. */
export function readSubscriptionRequest(raw: Buffer): SnsConfirmationMessage | null {
  // Most bodies are something else; this saves parsing them.
  if (!raw.includes('SubscriptionConfirmation')) return null;
  try {
    const message = readSnsMessage(JSON.parse(raw.toString()));
    return message?.Type === 'SubscriptionConfirmation' ? message : null;
  } catch {
    return null;
  }
}

/** Returns the host that confirms a subscription, for people. An invalid URL returns `invalid URL`. */
export const subscribeHost = ({ SubscribeURL: url }: SnsConfirmationMessage): string =>
  URL.canParse(url) ? new URL(url).host : 'invalid URL';

/**
 * Verifies a confirmation message and confirms its subscription. Returns the ARN of the subscription, or null if the response of SNS
 * contains none. Confirming a subscription again changes nothing.
 * @throws SnsConfirmationError
 */
export async function confirmSubscription(
  message: SnsConfirmationMessage,
  { https, certificates }: { https: OutboundClient; certificates: SnsCertificates },
): Promise<string | null> {
  if (!isSubscribeUrl(message))
    throw new SnsConfirmationError(
      'invalid_subscribe_url',
      '`SubscribeURL` must be an action ConfirmSubscription for this topic at https://sns.<region>.amazonaws.com.',
    );
  const verdict = await verifySnsMessage(message, certificates);
  if (!verdict.isVerified)
    throw new SnsConfirmationError(
      verdict.code === 'certificate_unavailable' ? 'sns_unavailable' : verdict.code,
      verdict.message,
    );
  const { status, body } = await https.get(message.SubscribeURL, LIMITS).catch((error) => {
    if (!(error instanceof OutboundError)) throw error;
    throw new SnsConfirmationError('sns_unavailable', error.message);
  });
  const xml = body.toString();
  if (status === 200) return textOf(xml, 'SubscriptionArn');
  if (status >= 500)
    throw new SnsConfirmationError('sns_unavailable', `Amazon SNS responded with ${status}.`);
  const reason = textOf(xml, 'Message') ?? 'no reason given';
  throw new SnsConfirmationError(
    'sns_rejected',
    `Amazon SNS rejected the confirmation with status ${status}: ${reason}. A confirmation expires after 2 days; request a new one in Amazon SNS.`,
  );
}

function isSubscribeUrl({ SubscribeURL: url, TopicArn: topic }: SnsConfirmationMessage): boolean {
  if (!leadsToSns(url)) return false;
  const { pathname, searchParams } = new URL(url);
  const action = searchParams.get('Action') === 'ConfirmSubscription';
  return pathname === '/' && action && searchParams.get('TopicArn') === topic;
}

/** Returns the text of an XML element of a response of SNS, without its end if it is long. */
function textOf(xml: string, element: 'SubscriptionArn' | 'Message'): string | null {
  const start = xml.indexOf(`<${element}>`);
  const end = xml.indexOf('<', start + 1);
  return start < 0 || end < 0
    ? null
    : xml
        .slice(start + element.length + 2, end)
        .trim()
        .slice(0, 300);
}
