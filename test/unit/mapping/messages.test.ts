import { expect, test } from '@jest/globals';
import {
  type BodySource,
  compileBody,
  compileFilter,
  drawBody,
  type FilterVerdict,
  judgeMessage,
  type MessageValues,
} from '../../../workers/mapping/index.js';

const MESSAGE: MessageValues = {
  alert: {
    id: '01a1f89d-7a9c-710a-951d-f86812498000',
    title: 'High "CPU"\non web-1',
    severity: 'error',
    service: null,
    custom: { region: 'eu-west-1' },
    resolvedAt: null,
    startedAt: '2026-03-01T08:00:00.000Z',
    eventCount: 3,
  },
  transition: { type: 'alert.fired', timestamp: '2026-03-01T08:00:00.000Z', sequence: 7, test: false },
};

function judged(source: string): FilterVerdict {
  const result = compileFilter(source);
  if ('errors' in result) throw new Error(JSON.stringify(result.errors));
  return judgeMessage(result.filter, MESSAGE);
}

const errorsOf = (result: object | { errors: { message: string }[] }) =>
  'errors' in result ? result.errors.map(({ message }) => message) : [];

test.each([
  'alert.severity == "error" && transition.type == "alert.fired"',
  'alert.custom.region.startsWith("eu-")',
  'alert.custom.zone != "a" && !alert.custom.zone.startsWith("a")',
  'alert.service == "" && !has(alert.service) && !has(alert.custom.zone) && has(alert.custom.region)',
  'first(alert.service, "none") == "none"',
  'timestamp(transition.timestamp).getHours("Europe/Berlin") == 9',
  'alert.custom.exists(name, name == "region")',
  'transition.test ? alert.custom.region : first(true, alert.title)',
  '["a"].map(alert, alert + "b") == ["ab"]',
])('%s lets the message pass', (source) => {
  expect(judged(source)).toEqual({ passes: true, fault: null });
});

test('a message that is filtered has the clause that is false, and what it read', () => {
  expect(judged('alert.severity == "error" && alert.service == "shop"')).toEqual({
    passes: false,
    clause: 'alert.service == "shop"',
    reads: [{ path: 'alert.service', value: null }],
  });
});

test.each([
  ['timestamp(alert.resolvedAt) > timestamp(alert.startedAt)', 'alert.resolvedAt is missing'],
  ['alert.title.split("")[999] == "x"', 'line 1, column 12: index 999 out of bounds'],
  ['alert.custom.region', 'the result is neither true nor false'],
  [
    '[1,2,3,4,5,6,7,8,9].all(a, [1,2,3,4,5,6,7,8,9].all(b, [1,2,3,4,5,6,7,8,9].all(c, [1,2,3,4,5,6,7,8,9].all(d, alert.title != ""))))',
    'it takes too many steps with this alert',
  ],
])('%s cannot decide, so the message passes', (source, fault) => {
  expect(judged(source)).toMatchObject({ passes: true, fault: expect.stringContaining(fault) });
});

test.each([
  [
    'alert.titel == "x"',
    'line 1, column 1: alert has no field "titel"; a custom field is alert.custom.titel. It has id,',
  ],
  ['true && alert["titel"] == "x"', 'line 1, column 14: alert has no field "titel"'],
  ['alert.title.text == "x"', 'line 1, column 1: alert.title is a value without fields'],
  [
    'severity == "error"',
    'line 1, column 1: "severity" is not a variable; write alert.severity, or "severity"',
  ],
  ['region == "eu"', 'line 1, column 1: "region" is not a variable; write alert.custom.region, or "region"'],
  ['webhook.severity == "error"', 'line 1, column 1: "webhook" is not a variable'],
  ['alert.severity = "error"', 'line 1, column 16: write == to compare'],
  ['alert.title.matches("(")', 'line 1, column 21: the pattern is invalid'],
  ['"text"', 'line 1, column 1: the expression must be true or false'],
  ['alert.title', 'line 1, column 1: the expression must be true or false; this never is: compare it'],
  ['transition', 'line 1, column 1: the expression must be true or false'],
  ['alert.custom', 'line 1, column 1: the expression must be true or false'],
  ['alert["title"] + "x"', 'line 1, column 15: the expression must be true or false'],
  ['transition.test ? alert.title : first(alert.service, alert.eventCount)', 'the expression must be true'],
  ['alert.service && alert.title == "x"', 'line 1, column 1: a condition must be true or false'],
])('%s is rejected with the position and the reason', (source, message) => {
  expect(errorsOf(compileFilter(source))).toEqual([expect.stringContaining(message)]);
});

function drawn(source: Partial<BodySource>) {
  const result = compileBody({ contentType: 'application/json', ...source });
  if ('errors' in result) throw new Error(JSON.stringify(result.errors));
  return drawBody(result.body, MESSAGE);
}

test('in JSON, a tag is a part of a text, and one in triple braces a whole value', () => {
  const template =
    '{"text": "{{transition.type}}: {{alert.title}}", "service": {{{alert.service}}}, "none": "{{alert.service}}", ' +
    '"count": {{{alert.eventCount}}}, "custom": {{{alert.custom}}}, "title": {{{alert.title}}}{{#alert.service}}, "x": 1{{/alert.service}}}';
  const result = drawn({ template });
  expect('text' in result && JSON.parse(result.text)).toEqual({
    text: 'alert.fired: High "CPU"\non web-1',
    service: null,
    none: '',
    count: 3,
    custom: { region: 'eu-west-1' },
    title: 'High "CPU"\non web-1',
  });
});

test('an expression gives JSON, or a text', () => {
  const expression =
    '{"text": alert.title + alert.service, "at": alert.custom.map(name, name + "=" + alert.custom[name]), "all": alert.custom, "n": 9007199254740993}';
  expect(drawn({ expression })).toEqual({
    text: '{"text":"High \\"CPU\\"\\non web-1","at":["region=eu-west-1"],"all":{"region":"eu-west-1"},"n":9007199254740993}',
  });
  expect(drawn({ contentType: 'text/plain', expression: '"N/A: " + alert.title' })).toEqual({
    text: 'N/A: High "CPU"\non web-1',
  });
  expect(
    drawn({ contentType: 'text/plain', template: '{{alert.title}} {{{alert.custom}}} {{{alert.service}}}.' }),
  ).toEqual({
    text: 'High "CPU"\non web-1 {"region":"eu-west-1"} .',
  });
});

test.each([
  [{ template: '{"text": {{alert.title}}}' }, 'the body is not JSON: '],
  [{ template: '{{alert.service}}', contentType: 'text/plain' as const }, 'the body is empty'],
  [{ expression: '{"at": timestamp(alert.resolvedAt)}' }, 'alert.resolvedAt is missing'],
  [{ expression: '{"at": int(alert.title)}' }, 'line 1, column 8: Cannot convert'],
])('%j cannot be drawn for this message', (source, fault) => {
  expect(drawn(source)).toEqual({ fault: expect.stringContaining(fault) });
});

test.each([
  [
    { template: '{{title}}' },
    'line 1, column 1: "title" does not start with alert or transition; write alert.title',
  ],
  [{ template: ' \n' }, 'line 1, column 1: the template is empty'],
  [{ template: 'a\n{{alert.titel}}' }, 'line 2, column 1: alert has no field "titel"'],
  [{ template: '{{#alert.custom}}' }, 'line 1, column 1: the section "alert.custom" is not closed'],
  [{ expression: '{"a": alert.titel}' }, 'line 1, column 7: alert has no field "titel"'],
])('%j is rejected with the position and the reason', (source, message) => {
  expect(errorsOf(compileBody({ contentType: 'application/json', ...source }))).toEqual([
    expect.stringContaining(message),
  ]);
});
