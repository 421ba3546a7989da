import { hmac, preset } from './preset.js';

/** Chat and commerce. */
export const MESSAGING = [
  preset({
    name: 'slack',
    title: 'Slack',
    documentation: 'https://docs.slack.dev/authentication/verifying-requests-from-slack/',
    scheme: hmac({
      header: 'x-slack-signature',
      prefix: 'v0=',
      signedContent: 'v0:{timestamp}:{body}',
      timestampHeader: 'x-slack-request-timestamp',
    }),
    hasUniqueBodies: true,
    secret: { title: 'Signing secret', location: 'Your app → Basic Information → App Credentials' },
  }),
  preset({
    name: 'discord',
    title: 'Discord',
    documentation: 'https://docs.discord.com/developers/interactions/overview',
    scheme: {
      family: 'ed25519',
      ed25519: {
        header: 'x-signature-ed25519',
        timestampHeader: 'x-signature-timestamp',
        signedContent: '{timestamp}{body}',
      },
    },
    secret: { title: 'Public key', location: 'Your application → General Information → Public Key' },
  }),
  preset({
    name: 'stripe',
    title: 'Stripe',
    documentation: 'https://docs.stripe.com/webhooks/signature',
    scheme: hmac({
      header: 'stripe-signature',
      prefix: 'v1=',
      separator: ',',
      signedContent: '{timestamp}.{body}',
      timestampPrefix: 't=',
    }),
    hasUniqueBodies: true,
    secret: { title: 'Signing secret', location: 'Workbench → Webhooks → your endpoint → Signing secret' },
  }),
  preset({
    name: 'shopify',
    title: 'Shopify',
    documentation: 'https://shopify.dev/docs/apps/build/webhooks/subscribe/https',
    scheme: hmac({ header: 'x-shopify-hmac-sha256', encoding: 'base64' }),
    secret: { title: 'Client secret', location: 'Your app → Settings → Client secret' },
  }),
];
