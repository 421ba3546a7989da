import { hmac, preset, token } from './preset.js';

/** Hosts of code, builds and deployments. */
export const CODE_HOSTS = [
  preset({
    name: 'github',
    title: 'GitHub',
    documentation: 'https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries',
    scheme: hmac({ header: 'x-hub-signature-256', prefix: 'sha256=' }),
    secret: { title: 'Secret', location: 'Settings → Webhooks → your webhook → Secret' },
  }),
  preset({
    name: 'gitlab',
    title: 'GitLab (signing token)',
    documentation: 'https://docs.gitlab.com/user/project/integrations/webhooks/',
    scheme: { family: 'standard-webhooks' },
    secret: { title: 'Signing token', location: 'Settings → Webhooks → your webhook → Signing token' },
  }),
  preset({
    name: 'gitlab-token',
    title: 'GitLab (secret token)',
    documentation: 'https://docs.gitlab.com/user/project/integrations/webhooks/',
    scheme: token('x-gitlab-token'),
    secret: { title: 'Secret token', location: 'Settings → Webhooks → your webhook → Secret token' },
  }),
  preset({
    name: 'bitbucket',
    title: 'Bitbucket',
    documentation: 'https://support.atlassian.com/bitbucket-cloud/docs/manage-webhooks/',
    scheme: hmac({ header: 'x-hub-signature', prefix: 'sha256=' }),
    secret: { title: 'Secret', location: 'Repository settings → Webhooks → your webhook → Secret' },
  }),
  preset({
    name: 'circleci',
    title: 'CircleCI',
    documentation: 'https://circleci.com/docs/outbound-webhooks/',
    scheme: hmac({ header: 'circleci-signature', prefix: 'v1=', separator: ',' }),
    hasUniqueBodies: true,
    secret: { title: 'Secret token', location: 'Project settings → Webhooks → your webhook → Secret token' },
  }),
  preset({
    name: 'vercel',
    title: 'Vercel',
    documentation: 'https://vercel.com/docs/webhooks/webhooks-api',
    scheme: hmac({ header: 'x-vercel-signature', hash: 'sha1' }),
    hasUniqueBodies: true,
    secret: { title: 'Secret', location: 'Shown once when you create the webhook under Settings → Webhooks' },
  }),
  preset({
    name: 'linear',
    title: 'Linear',
    documentation: 'https://linear.app/developers/webhooks',
    scheme: hmac({ header: 'linear-signature' }),
    hasUniqueBodies: true,
    secret: {
      title: 'Signing secret',
      location: 'Settings → API → Webhooks → your webhook → Signing secret',
    },
  }),
  preset({
    name: 'jira',
    title: 'Jira',
    documentation: 'https://developer.atlassian.com/cloud/jira/platform/webhooks/',
    scheme: hmac({ header: 'x-hub-signature', prefix: 'sha256=' }),
    secret: { title: 'Secret', location: 'System → WebHooks → your webhook → Secret' },
  }),
];
