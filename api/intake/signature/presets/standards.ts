import { hmac, preset, token } from './preset.js';

const HEADER_VALUE = 'Choose a random value and enter it in the source as the value of this header';

/** Standards, and schemes for any source that can send a header. */
export const STANDARDS = [
  preset({
    name: 'standard-webhooks',
    title: 'Standard Webhooks',
    documentation: 'https://www.standardwebhooks.com/',
    scheme: { family: 'standard-webhooks' },
    secret: {
      title: 'Secret',
      location: 'The source shows it with the webhook, usually beginning with whsec_',
    },
  }),
  preset({
    name: 'standard-webhooks-ed25519',
    title: 'Standard Webhooks (Ed25519, Svix v1a)',
    documentation:
      'https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md',
    scheme: { family: 'standard-webhooks-ed25519' },
    secret: {
      title: 'Public key',
      location: 'The source shows it with the webhook, usually beginning with whpk_',
    },
  }),
  preset({
    name: 'bearer-token',
    title: 'Bearer token',
    documentation: 'https://www.rfc-editor.org/rfc/rfc6750',
    scheme: token('authorization', 'Bearer '),
    secret: {
      title: 'Token',
      location: 'Choose a random token and enter it in the source as its Bearer token',
    },
  }),
  preset({
    name: 'header-token',
    title: 'Token in a header',
    documentation: null,
    scheme: token('', ''),
    parameters: ['header', 'prefix'],
    required: ['header'],
    secret: { title: 'Token', location: HEADER_VALUE },
  }),
  preset({
    name: 'basic',
    title: 'HTTP Basic authentication',
    documentation: 'https://www.rfc-editor.org/rfc/rfc7617',
    scheme: { family: 'basic' },
    parameters: ['username'],
    required: ['username'],
    secret: {
      title: 'Password',
      location: 'Choose a random password and enter it in the source with the user name',
    },
  }),
  preset({
    name: 'custom',
    title: 'Custom HMAC',
    documentation: null,
    scheme: hmac({}),
    parameters: [
      'header',
      'prefix',
      'separator',
      'hash',
      'encoding',
      'secretEncoding',
      'signedContent',
      'timestampHeader',
      'timestampPrefix',
      'timestampUnit',
      'toleranceSeconds',
    ],
    required: ['header'],
    secret: { title: 'Secret', location: 'The source shows it, or lets you enter one' },
  }),
];
