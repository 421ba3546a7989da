import { setTimeout as sleep } from 'node:timers/promises';
import type { SnsCertificates } from '../../../sns/sns-certificates.js';
import { readSnsMessage } from '../../../sns/sns-message.js';
import { verifySnsMessage } from '../../../sns/verify-message.js';
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
    const message = readSnsMessage(parse(body));
    if (!message) return 'missing_header';
    if (message.TopicArn !== topicArn) return 'wrong_signature';
    const late = sleep(MAX_WAIT_MS, null, { ref: false });
    const verdict = await Promise.race([verifySnsMessage(message, certificates), late]);
    if (verdict?.isVerified) return 'verified';
    const isFinal = verdict !== null && verdict.code !== 'certificate_unavailable';
    return isFinal ? 'wrong_signature' : 'unverifiable';
  };

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return null;
  }
}
