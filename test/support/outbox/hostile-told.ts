import fc from 'fast-check';
import { MESSAGE_TYPES, type Told, type ToldAlert } from '../../../workers/outbox/presets/preset.js';

/** Texts that chats take for something else, that they count in different ways, or that are far too long. */
const text: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    ...[
      '',
      ' ',
      '\0',
      '\ud800',
      '\udc00x',
      '\ufeff',
      '\u200b',
      '\r\n',
      '__proto__',
      'constructor',
      '{{x}}',
      '`',
    ],
    '<!everyone>',
    '<!channel> @channel @here @everyone <@U123>',
    '[Muster](https://evil.example.com) ![](https://evil.example.com/x.png)',
    '<https://evil.example.com|Muster>',
    '👩‍👩‍👧‍👦'.repeat(50),
    '😀'.repeat(4_096),
    '&<>'.repeat(3_000),
    '"\\\n'.repeat(3_000),
    '\u0001\u001b[31m'.repeat(2_000),
    '\ud83d'.repeat(500),
    'ü'.repeat(100_000),
    '{{DATE(2026-02-14T06:08:00Z,SHORT)}} @{triggerBody()}',
    '\u202egnp.exe\u202c',
    '\n\n\n',
  ),
  fc.string({ unit: 'binary', minLength: 200, maxLength: 3_000 }),
);
const maybe = fc.option(text);

/** Up to three fields of any length, or 60 that are longer than any chat shows. */
const custom = fc.tuple(fc.dictionary(text, text, { maxKeys: 3 }), fc.boolean()).map(([fields, hasMany]) => {
  if (!hasMany) return fields;
  const texts = Object.entries(fields).flat();
  const many = Array.from({ length: 60 }, (_, at) => texts[at % texts.length]?.slice(0, 1_000) ?? '');
  return Object.fromEntries(many.map((one, at) => [`${at} ${one}`, one]));
});

const time = fc
  .date({ min: new Date('1970-01-01'), max: new Date('9999-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString());

const alert: fc.Arbitrary<ToldAlert> = fc.record({
  id: fc.uuid(),
  webhookId: fc.uuid(),
  webhookName: text,
  dedupKey: maybe,
  status: fc.constantFrom('firing', 'resolved', null),
  severity: maybe,
  title: maybe,
  description: maybe,
  source: maybe,
  service: maybe,
  environment: maybe,
  team: maybe,
  custom,
  startedAt: time,
  resolvedAt: fc.option(time),
  resolvedBy: fc.constantFrom('event', 'person', 'expiry', null),
  resolution: maybe,
  peakSeverity: maybe,
  eventCount: fc.nat(),
  link: fc.option(fc.webUrl({ withQueryParameters: true, withFragments: true })),
});

/** Messages about alerts from senders that mean harm. */
export const hostileTold: fc.Arbitrary<Told> = fc
  .record({
    id: fc.stringMatching(/^msg_[a-z0-9]{1,40}$/),
    type: fc.constantFrom(...MESSAGE_TYPES, 'alert.repeated' as const),
    at: time,
    sequence: fc.nat(),
    alert,
    isTest: fc.boolean(),
    before: fc.option(alert),
  })
  .map(({ before, ...told }) => ({ ...told, ...(before ? { before } : {}) }));
