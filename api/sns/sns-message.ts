import { z } from 'zod';

/** SNS limits a message to 256 KiB; its JSON escapes can be six times as long. Texts in memory are not escaped. */
const MAX_MESSAGE_CHARACTERS = 300_000;
const text = z.string().max(2_000);

const common = {
  MessageId: text,
  TopicArn: text,
  Message: z.string().max(MAX_MESSAGE_CHARACTERS),
  Timestamp: text,
  SignatureVersion: z.enum(['1', '2']),
  Signature: text,
  SigningCertURL: text,
};

const notification = z.object({ ...common, Type: z.literal('Notification'), Subject: text.nullish() });
const confirmation = z.object({
  ...common,
  Type: z.enum(['SubscriptionConfirmation', 'UnsubscribeConfirmation']),
  Token: text,
  SubscribeURL: text,
});
const message = z.union([notification, confirmation]);

/** A message that claims to come from Amazon SNS. https://docs.aws.amazon.com/sns/latest/dg/sns-message-and-json-formats.html */
export type SnsMessage = z.infer<typeof message>;

/** A message that SNS sends when a subscription is created or ends. */
export type SnsConfirmationMessage = z.infer<typeof confirmation>;

/** Returns a payload as an SNS message, or null if it is none or a property is missing, too long or of another type. */
export function readSnsMessage(payload: unknown): SnsMessage | null {
  return message.safeParse(payload).data ?? null;
}

const SIGNED_PROPERTIES: Record<SnsMessage['Type'], readonly string[]> = {
  Notification: ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'],
  SubscriptionConfirmation: [
    'Message',
    'MessageId',
    'SubscribeURL',
    'Timestamp',
    'Token',
    'TopicArn',
    'Type',
  ],
  UnsubscribeConfirmation: ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
};

/**
 * Returns the text that SNS signs: a line with the name and a line with the value of each property. A property that is absent is
 * left out; only `Subject` may be. https://docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message.html
 */
export function signedText(sns: SnsMessage): string {
  const values = new Map<string, unknown>(Object.entries(sns));
  return SIGNED_PROPERTIES[sns.Type]
    .map((name) => (values.get(name) == null ? '' : `${name}\n${values.get(name)}\n`))
    .join('');
}
