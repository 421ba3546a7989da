import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { SignatureParameters } from '../../../api/intake/signature/parameters.js';
import { findPreset, type SignaturePreset } from '../../../api/intake/signature/presets/index.js';
import { verifierOf } from '../../../api/intake/signature/verifier.js';
import { SnsCertificates } from '../../../api/sns/sns-certificates.js';
import { OutboundClient } from '../../../workers/outbound/outbound-client.js';

interface Vector {
  scheme: string;
  from: string;
  secret: string;
  body: string;
  headers: Record<string, string>;
  /** In seconds. */
  at?: number;
  parameters?: SignatureParameters;
}

const PAGERDUTY_BODY = [
  '{"event":{"id":"01BWDWL3NYY7LUFPZCC28QUCMK","event_type":"incident.priority_updated","resource_type":"incident","occur',
  'red_at":"2021-04-26T17:36:27.458Z","agent":{"html_url":"https://acme.pagerduty.com/users/PLH1HKV","id":"PLH1HKV","self',
  '":"https://api.pagerduty.com/users/PLH1HKV","summary":"Tenex Engineer","type":"user_reference"},"client":null,"data":{',
  '"id":"PGR0VU2","type":"incident","self":"https://api.pagerduty.com/incidents/PGR0VU2","html_url":"https://acme.pagerdu',
  'ty.com/incidents/PGR0VU2","number":2,"status":"triggered","title":"A little bump in the road","service":{"html_url":"h',
  'ttps://acme.pagerduty.com/services/PF9KMXH","id":"PF9KMXH","self":"https://api.pagerduty.com/services/PF9KMXH","summar',
  'y":"API Service","type":"service_reference"},"assignees":[{"html_url":"https://acme.pagerduty.com/users/PTUXL6G","id":',
  '"PTUXL6G","self":"https://api.pagerduty.com/users/PTUXL6G","summary":"User 123","type":"user_reference"}],"escalation_',
  'policy":{"html_url":"https://acme.pagerduty.com/escalation_policies/PUS0KTE","id":"PUS0KTE","self":"https://api.pagerd',
  'uty.com/escalation_policies/PUS0KTE","summary":"Default","type":"escalation_policy_reference"},"teams":[{"html_url":"h',
  'ttps://acme.pagerduty.com/teams/PFCVPS0","id":"PFCVPS0","self":"https://api.pagerduty.com/teams/PFCVPS0","summary":"En',
  'gineering","type":"team_reference"}],"priority":{"html_url":"https://acme.pagerduty.com/account/incident_priorities","',
  'id":"PSO75BM","self":"https://api.pagerduty.com/priorities/PSO75BM","summary":"P1","type":"priority_reference"},"urgen',
  'cy":"high","conference_bridge":{"conference_number":1000,"conference_url":"https://example.com"},"resolve_reason":null',
  '}}}',
].join('');

/** Signed requests that others published, or that their own libraries made. */
const VECTORS: Vector[] = [
  {
    scheme: 'github',
    from: 'docs.github.com, Validating webhook deliveries',
    secret: "It's a Secret to Everybody",
    body: 'Hello, World!',
    headers: {
      'x-hub-signature-256': 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
    },
  },
  ...['jira', 'bitbucket'].map((scheme) => ({
    scheme,
    from: 'the documentation of webhook secrets in Jira and Bitbucket',
    secret: "It's a Secret to Everybody",
    body: 'Hello World!',
    headers: {
      'x-hub-signature': 'sha256=a4771c39fbe90f317c7824e83ddef3caae9cb3d976c214ace1f2937e133263c9',
    },
  })),
  {
    scheme: 'slack',
    from: 'docs.slack.dev, Verifying requests from Slack',
    secret: '8f742231b10e8888abcd99yyyzzz85a5',
    at: 1531420618,
    body:
      'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&' +
      'user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2F' +
      'commands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c',
    headers: {
      'x-slack-request-timestamp': '1531420618',
      'x-slack-signature': 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
    },
  },
  {
    scheme: 'stripe',
    from: 'stripe 23.1.0, webhooks.generateTestHeaderString',
    secret: 'whsec_test_secret_of_some_length',
    at: 1700000000,
    body: '{"id":"evt_1","größe":"12 €"}',
    headers: {
      'stripe-signature': 't=1700000000,v1=fceb4cfc2445eae117e0fb043c43ec5abf6af0ac868dbe4fddbb1cdb6d85c549',
    },
  },
  {
    scheme: 'standard-webhooks-ed25519',
    from: 'the test of asymmetric keys in the Svix server',
    secret: 'whpk_1SiA4o9hyqTCpIqC5V9HUakiiaeACeqfZTInDBbOir4=',
    at: 1614265330,
    body: '{"test": 2432232314}',
    headers: {
      'svix-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'svix-timestamp': '1614265330',
      'svix-signature':
        'v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCXe5BdqzCInXqYXFymVJaA7AZdpXwVLPo3mNl8EM+m7TBAg==',
    },
  },
  {
    scheme: 'discord',
    from: 'a request that verifyKey of discord-interactions 4 accepts',
    secret: '4d5e7cc88b1236522829783d609d4b3cc98b957b4681bb82df92ea61da7dc38b',
    at: 1700000000,
    body: '{"type":1}',
    headers: {
      'x-signature-timestamp': '1700000000',
      'x-signature-ed25519':
        '68caeffe3851fe9b43b31244aae6f7585ca4bf3828d243fc7828038280e55f43a9d8d032716b3d4ef7c51941bbb1f365320e08548d2b0d40d38fb7d157e86209',
    },
  },
  {
    scheme: 'pagerduty',
    from: 'the test of webhookv3 in PagerDuty/go-pagerduty',
    secret: 'lDQHScfUeXUKaQRNF+8XIiDKZ7XX3itBAYzwU0TARw8lJqRnkKl2iB1anSb0Z+IK',
    body: PAGERDUTY_BODY,
    headers: {
      'x-pagerduty-signature': 'v1=0c0b9495b893a39e70d1fea2fe11fbe0a825f88b9f67846f6cc07dd2bc5476cd',
    },
  },
  {
    scheme: 'pagerduty',
    from: 'the same request while its secret is rotated',
    secret: 'lDQHScfUeXUKaQRNF+8XIiDKZ7XX3itBAYzwU0TARw8lJqRnkKl2iB1anSb0Z+IK',
    body: PAGERDUTY_BODY,
    headers: {
      'x-pagerduty-signature':
        'v1=7020c8a7ec668a9b7012bc3dd82e483394b038f4230acc6785efbf2a7d8bcaf5,' +
        'v1=0c0b9495b893a39e70d1fea2fe11fbe0a825f88b9f67846f6cc07dd2bc5476cd',
    },
  },
  ...[
    ['hello world', 'secret', '734cc62f32841568f45715aeb9f4d7891324e6d948e4c6c60c0621cdac48623a'],
    ['lalala', 'another-secret', 'daa220016c8f29a8b214fbfc3671aeec2145cfb1e6790184ffb38b6d0425fa00'],
    ['foo', 'secret', '773ba44693c7553d6ee20f61ea5d2757a9a4f4a44d2841ae4e95b52e4cd62db4'],
  ].map(([body, secret, signature]) => ({
    scheme: 'circleci',
    from: `circleci.com/docs, Outbound webhooks: ${body}`,
    secret: secret as string,
    body: body as string,
    headers: { 'circleci-signature': `v1=${signature}` },
  })),
  {
    scheme: 'shopify',
    from: 'a request whose HMAC webhooks.validate of @shopify/shopify-api 15 accepts',
    secret: 'shpss_0123456789abcdef',
    body: '{"id":820982911946154508,"note":"größe"}',
    headers: { 'x-shopify-hmac-sha256': 'JKxYqBJag2TXew9Hma3S4W8loCHyRfShJPYAxTZhBiM=' },
  },
  {
    scheme: 'linear',
    from: 'a request that LinearWebhookClient.verify of @linear/sdk 98 accepts',
    secret: 'lin_wh_0123456789abcdef',
    body: '{"action":"create","type":"Issue","title":"größe","webhookTimestamp":1700000000000}',
    headers: { 'linear-signature': '4bf50160ccdbc136f70e676c690c99e84993b1b5828dab05f55149b0cc4facab' },
  },
];

const verify = (vector: Vector) => {
  const { scheme } = findPreset(vector.scheme) as SignaturePreset;
  const verifier = verifierOf(
    scheme,
    vector.parameters ?? {},
    vector.secret,
    new SnsCertificates(new OutboundClient()),
  );
  return verifier({ headers: vector.headers, body: Buffer.from(vector.body) });
};

const { now } = Date;
const setTime = (seconds: number) => {
  Date.now = () => seconds * 1_000;
};
afterEach(() => {
  Date.now = now;
});

describe.each(VECTORS)('$scheme: $from', (vector) => {
  const { at = 1_700_000_000, headers } = vector;
  beforeEach(() => {
    setTime(at);
  });

  test('is verified', () => {
    expect(verify(vector)).toBe('verified');
  });

  test('is rejected with another body, secret or header', () => {
    expect(verify({ ...vector, body: `${vector.body} ` })).toBe('wrong_signature');
    const otherSecret = vector.secret.replace(/[0-9a-f](?=[^0-9a-f]*$)/, (digit) =>
      digit === '0' ? '1' : '0',
    );
    expect(verify({ ...vector, secret: otherSecret })).toBe('wrong_signature');
    for (const name of Object.keys(headers)) {
      const { [name]: _, ...rest } = headers;
      expect(verify({ ...vector, headers: rest })).toBe('missing_header');
    }
  });

  if (vector.at !== undefined) {
    test.each([-301, 301])('is rejected %d s later', (seconds) => {
      setTime(at + seconds);
      expect(verify(vector)).toBe('old_timestamp');
    });
    test.each([-299, 299])('is verified %d s later', (seconds) => {
      setTime(at + seconds);
      expect(verify(vector)).toBe('verified');
    });
  }
});
