import { setTimeout as sleep } from 'node:timers/promises';
import type { SnsCertificates } from '../../../sns/sns-certificates.js';
import { readSnsMessage, type SnsMessage } from '../../../sns/sns-message.js';
import { verifySnsMessage } from '../../../sns/verify-message.js';
import type { DeliveryId } from '../../event-id.js';
import { parseSmall } from '../../request/parse-small.js';
import type { Verdict, Verify } from '../verdict.js';

/** An ARN of an SNS topic, in the partitions whose hosts are known: the standard one, GovCloud and China. */
export const TOPIC_ARN =
  /^arn:(?:aws|aws-us-gov|aws-cn):sns:[a-z0-9-]{5,30}:\d{12}:[A-Za-z0-9_-]{1,256}(?:\.fifo)?$/;

/** The response to an event is sent within 2 s. A certificate that takes longer is there for the next attempt of SNS. */
const MAX_WAIT_MS = 1_500;

/**
 * Returns the verifier of messages of one SNS topic. The topic is required: anyone with an AWS account can have SNS sign messages
 * of their own topics.
 */
export const verifySns =
  (topicArn: string, certificates: SnsCertificates): Verify =>
  async ({ body }): Promise<Verdict> => {
    const message = messageOf(body);
    if (!message) return 'missing_header';
    if (message.TopicArn !== topicArn) return 'wrong_signature';
    const late = sleep(MAX_WAIT_MS, null, { ref: false });
    const verdict = await Promise.race([verifySnsMessage(message, certificates), late]);
    if (verdict?.isVerified) return 'verified';
    const isFinal = verdict !== null && verdict.code !== 'certificate_unavailable';
    return isFinal ? 'wrong_signature' : 'unverifiable';
  };

/** Returns the id of a verified message. `x-amz-sns-message-id` has it as well, but is not signed. */
export function signedMessageId(body: Buffer): DeliveryId | null {
  const id = messageOf(body)?.MessageId;
  return id === undefined ? null : { name: 'x-amz-sns-message-id', value: id };
}

/** A message has 10 properties, and at most 10 attributes of two. */
const MAX_VALUES = 100;

const messageOf = (body: Buffer): SnsMessage | null => readSnsMessage(parseSmall(body, MAX_VALUES));
