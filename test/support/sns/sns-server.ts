import { createSign } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { generate } from 'selfsigned';
import { type SnsMessage, signedText } from '../../../api/sns/sns-message.js';
import type { Network } from '../../../workers/outbound/network.js';
import { OutboundClient } from '../../../workers/outbound/outbound-client.js';

export const SNS_HOST = 'sns.eu-central-1.amazonaws.com';
export const TOPIC = 'arn:aws:sns:eu-central-1:111122223333:alarms';
export const SUBSCRIPTION = `${TOPIC}:5f1f2a34-0000-4000-8000-1234567890ab`;
const CERTIFICATE_PATH = '/SimpleNotificationService-0123456789abcdef0123456789abcdef.pem';

export type SnsServer = Awaited<ReturnType<typeof startSnsServer>>;

type Respond = (request: IncomingMessage, response: ServerResponse) => void;

interface CertificateOptions {
  name?: string;
  validFrom?: Date;
  validTo?: Date;
}

/** Creates a certificate as SNS uses one, with its private key. */
export async function createCertificate({
  name = 'sns.amazonaws.com',
  validFrom = new Date(Date.now() - 60_000),
  validTo = new Date(Date.now() + 3_600_000),
}: CertificateOptions = {}) {
  const altNames = [name, SNS_HOST].map((value) => ({ type: 2 as const, value }));
  const { cert, private: key } = await generate([{ name: 'commonName', value: name }], {
    keySize: 2048,
    algorithm: 'sha256',
    notBeforeDate: validFrom,
    notAfterDate: validTo,
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'subjectAltName', altNames },
    ],
  });
  return { cert, key };
}

/** Starts a TLS server that behaves like Amazon SNS, and a network on which every host name leads to it. */
export async function startSnsServer() {
  const tls = await createCertificate({ name: SNS_HOST });
  const signing = await createCertificate();
  const requests: string[] = [];
  const responses = new Map<string, Respond>();
  const server = createServer({ key: tls.key, cert: tls.cert }, (request, response) => {
    const url = request.url as string;
    requests.push(url);
    const path = url.split('?')[0] as string;
    const respond = responses.get(path);
    if (respond) respond(request, response);
    else response.writeHead(404).end('<ErrorResponse/>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  responses.set(CERTIFICATE_PATH, (_, response) => void response.end(signing.cert));
  responses.set('/', (_, response) => void response.end(confirmed(SUBSCRIPTION)));

  const network: Network = {
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    isAllowed: (address) => address === '127.0.0.1',
    port: (server.address() as AddressInfo).port,
    ca: tls.cert,
  };
  return {
    network,
    https: new OutboundClient(network),
    /** The path and query of each request, in order. */
    requests,
    /** Sets the response for a path. */
    respond: (path: string, respond: Respond) => void responses.set(path, respond),
    /** Returns the message with a valid signature. */
    sign: <T extends SnsMessage>(message: T, key = signing.key): T => ({
      ...message,
      Signature: createSign(message.SignatureVersion === '1' ? 'RSA-SHA1' : 'RSA-SHA256')
        .update(signedText(message))
        .sign(key, 'base64'),
    }),
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

const confirmed = (arn: string): string =>
  `<ConfirmSubscriptionResponse xmlns="http://sns.amazonaws.com/doc/2010-03-31/"><ConfirmSubscriptionResult><SubscriptionArn>${arn}</SubscriptionArn></ConfirmSubscriptionResult></ConfirmSubscriptionResponse>`;

const common = {
  MessageId: '165545c9-2a5c-472c-8df2-7ff2be2b3b1b',
  TopicArn: TOPIC,
  Timestamp: '2026-02-03T10:20:01.000Z',
  Signature: '',
  SigningCertURL: `https://${SNS_HOST}${CERTIFICATE_PATH}`,
};

/** An unsigned confirmation. */
export const confirmation = {
  ...common,
  Type: 'SubscriptionConfirmation' as const,
  Token: '2336412f37fb687f5d51e6e241d09c805a5a57b30d712f794cc5f6a988666d92',
  Message: 'You have chosen to subscribe to the topic.\nTo confirm, visit the SubscribeURL.',
  SubscribeURL: `https://${SNS_HOST}/?Action=ConfirmSubscription&TopicArn=${TOPIC}&Token=2336412f37fb687f5d51e6e241d09c805a5a57b30d712f794cc5f6a988666d92`,
  SignatureVersion: '1' as const,
};

/** An unsigned notification. */
export const notification = {
  ...common,
  Type: 'Notification' as const,
  Subject: 'ALARM: "orders-latency"',
  Message: '{"AlarmName":"orders-latency","NewStateReason":"größer als 2 s"}',
  SignatureVersion: '2' as const,
};
