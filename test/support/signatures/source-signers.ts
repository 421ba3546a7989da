import {
  createHmac,
  createPrivateKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  randomUUID,
  sign,
} from 'node:crypto';

/** A request's headers, by names in lower case. */
export type SignatureHeaders = Record<string, string>;

/** Signs as one source does. */
export interface SourceSigner {
  /** The parameters that the integration needs. */
  parameters?: Record<string, string>;
  /** Whether the time is part of what is signed. */
  timed: boolean;
  /** Whether the signature covers the body. A token does not. */
  coversBody: boolean;
  /** Returns the secret of an integration, and what signs a body at a time with it. */
  start(): { secret: string; sign(body: Buffer, at: Date): SignatureHeaders };
}

type Sign = (secret: string, body: Buffer, at: Date) => SignatureHeaders;

const withSecret =
  (signWith: Sign, newSecret = () => randomBytes(20).toString('hex')) =>
  () => {
    const secret = newSecret();
    return { secret, sign: (body: Buffer, at: Date) => signWith(secret, body, at) };
  };

const ofBody = (signWith: Sign): SourceSigner => ({
  timed: false,
  coversBody: true,
  start: withSecret(signWith),
});
const ofTime = (signWith: Sign): SourceSigner => ({ ...ofBody(signWith), timed: true });
const ofToken = (signWith: Sign, parameters?: Record<string, string>): SourceSigner => ({
  ...ofBody(signWith),
  coversBody: false,
  ...(parameters ? { parameters } : {}),
});

const hex = (hash: string, secret: string, ...content: (string | Buffer)[]) =>
  mac(hash, secret, content).toString('hex');
const base64 = (hash: string, secret: string | Buffer, ...content: (string | Buffer)[]) =>
  mac(hash, secret, content).toString('base64');
const mac = (hash: string, secret: string | Buffer, content: (string | Buffer)[]) =>
  createHmac(hash, secret)
    .update(Buffer.concat(content.map((part) => Buffer.from(part))))
    .digest();
const unix = (at: Date) => String(Math.floor(at.getTime() / 1_000));

const standardWebhooks: SourceSigner = {
  timed: true,
  coversBody: true,
  start: withSecret(
    (secret, body, at) => {
      const [id, time] = [`msg_${randomUUID()}`, unix(at)];
      const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
      const signature = base64('sha256', key, `${id}.${time}.`, body);
      return { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': `v1,${signature}` };
    },
    () => `whsec_${randomBytes(32).toString('base64')}`,
  ),
};

/** Returns a signer with a new Ed25519 key. The secret of the integration is the public key, in an encoding. */
const ed25519 = (
  secretOf: (publicKey: Buffer) => string,
  signWith: (sign: (content: string, body: Buffer) => Buffer, body: Buffer, at: Date) => SignatureHeaders,
): SourceSigner => ({
  timed: true,
  coversBody: true,
  start: () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
    const signContent = (content: string, body: Buffer) =>
      sign(null, Buffer.concat([Buffer.from(content), body]), reloaded(privateKey));
    return { secret: secretOf(raw), sign: (body, at) => signWith(signContent, body, at) };
  },
});
const reloaded = (key: KeyObject) => createPrivateKey(key.export({ format: 'pem', type: 'pkcs8' }));

/**
 * What each source documents, written down once more and apart from the presets, so that a mistake in a preset shows. SNS is
 * left out: it signs with a certificate, which its own tests have.
 */
export const SOURCE_SIGNERS: Record<string, SourceSigner> = {
  'standard-webhooks': standardWebhooks,
  gitlab: standardWebhooks,
  'standard-webhooks-ed25519': ed25519(
    (key) => `whpk_${key.toString('base64')}`,
    (signContent, body, at) => {
      const [id, time] = [`msg_${randomUUID()}`, unix(at)];
      const signature = signContent(`${id}.${time}.`, body).toString('base64');
      return { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': `v1a,${signature}` };
    },
  ),
  discord: ed25519(
    (key) => key.toString('hex'),
    (signContent, body, at) => ({
      'x-signature-timestamp': unix(at),
      'x-signature-ed25519': signContent(unix(at), body).toString('hex'),
    }),
  ),
  'bearer-token': ofToken((secret) => ({ authorization: `Bearer ${secret}` })),
  hetrixtools: ofToken((secret) => ({ authorization: `Bearer ${secret}` })),
  'header-token': ofToken((secret) => ({ 'x-muster-token': secret }), { header: 'x-muster-token' }),
  'gitlab-token': ofToken((secret) => ({ 'x-gitlab-token': secret })),
  cloudflare: ofToken((secret) => ({ 'cf-webhook-auth': secret })),
  basic: ofToken(
    (secret) => ({ authorization: `Basic ${Buffer.from(`muster:${secret}`).toString('base64')}` }),
    { username: 'muster' },
  ),
  custom: {
    ...ofTime((secret, body, at) => ({
      'x-time': String(at.getTime()),
      'x-signature': base64('sha512', secret, 'muster/', String(at.getTime()), '/', body),
    })),
    parameters: {
      header: 'x-signature',
      hash: 'sha512',
      encoding: 'base64',
      signedContent: 'muster/{timestamp}/{body}',
      timestampHeader: 'x-time',
      timestampUnit: 'milliseconds',
    },
  },
  github: ofBody((secret, body) => ({ 'x-hub-signature-256': `sha256=${hex('sha256', secret, body)}` })),
  bitbucket: ofBody((secret, body) => ({ 'x-hub-signature': `sha256=${hex('sha256', secret, body)}` })),
  jira: ofBody((secret, body) => ({ 'x-hub-signature': `sha256=${hex('sha256', secret, body)}` })),
  circleci: ofBody((secret, body) => ({ 'circleci-signature': `v1=${hex('sha256', secret, body)}` })),
  pagerduty: ofBody((secret, body) => ({ 'x-pagerduty-signature': `v1=${hex('sha256', secret, body)}` })),
  sentry: ofBody((secret, body) => ({ 'sentry-hook-signature': hex('sha256', secret, body) })),
  linear: ofBody((secret, body) => ({ 'linear-signature': hex('sha256', secret, body) })),
  vercel: ofBody((secret, body) => ({ 'x-vercel-signature': hex('sha1', secret, body) })),
  netbox: ofBody((secret, body) => ({ 'x-hook-signature': hex('sha512', secret, body) })),
  shopify: ofBody((secret, body) => ({ 'x-shopify-hmac-sha256': base64('sha256', secret, body) })),
  'splunk-observability': ofBody((secret, body) => ({ 'x-sfx-signature': base64('sha256', secret, body) })),
  grafana: {
    ...ofTime((secret, body, at) => ({
      'x-grafana-alerting-timestamp': unix(at),
      'x-grafana-alerting-signature': hex('sha256', secret, `${unix(at)}:`, body),
    })),
    parameters: { timestampHeader: 'x-grafana-alerting-timestamp' },
  },
  slack: ofTime((secret, body, at) => ({
    'x-slack-request-timestamp': unix(at),
    'x-slack-signature': `v0=${hex('sha256', secret, `v0:${unix(at)}:`, body)}`,
  })),
  stripe: ofTime((secret, body, at) => ({
    'stripe-signature': `t=${unix(at)},v1=${hex('sha256', secret, `${unix(at)}.`, body)}`,
  })),
  zendesk: ofTime((secret, body, at) => {
    const time = `${at.toISOString().slice(0, 19)}Z`;
    return {
      'x-zendesk-webhook-signature-timestamp': time,
      'x-zendesk-webhook-signature': base64('sha256', secret, time, body),
    };
  }),
};
