import { describe, expect, test } from '@jest/globals';
import {
  compileStored,
  type EventRequest,
  fieldTree,
  normalize,
  parsePayload,
  prepareAlerts,
  storedRequest,
} from '../../../workers/mapping/index.js';
import { bytes, compiled, errorsOf, only } from './mapping.js';

const REQUEST: EventRequest = {
  method: 'POST',
  contentType: 'application/json',
  query: { env: 'prod', tag: ['a', 'b'] },
  headers: { 'x-github-event': 'issues', 'user-agent': 'GitHub-Hookshot/1' },
};

const render = (template: string, payload: unknown = {}, request: EventRequest | undefined = REQUEST) =>
  only(normalize(compiled({ fields: { title: { template } } }), bytes(payload), request)).fields.title;

test.each([
  ['{{request.headers.x-github-event}}', 'issues'],
  ['{{request.headers["user-agent"]}}', 'GitHub-Hookshot/1'],
  ['{{request.query.env}} {{request.method}} {{request.contentType}}', 'prod POST application/json'],
  ['{{#request.query.tag}}[{{.}}]{{/request.query.tag}}', '[a][b]'],
  ['{{#request.query.env}}on {{request.query.env}}{{/request.query.env}}', 'on prod'],
  ['{{webhook.type|request.headers.x-github-event}}', 'issues'],
  ['{{^webhook.type}}{{request.headers.x-github-event}}{{/webhook.type}}', 'issues'],
])('%s reads the request', (template, text) => {
  expect(render(template)).toMatchObject({ value: text, result: 'resolved' });
});

describe('a key "request" of a payload keeps its meaning', () => {
  test.each([
    ['{{webhook.request.method}}', { request: { method: 'GET' } }, 'GET'],
    [
      '{{#webhook.event}}{{request.method}}{{/webhook.event}}',
      { event: { request: { method: 'GET' } } },
      'GET',
    ],
    [
      '{{#webhook.event}}{{#request}}{{url}}{{/request}}{{/webhook.event}}',
      { event: { request: { url: '/a' } } },
      '/a',
    ],
    ['{{#webhook.event}}{{request.url}}{{/webhook.event}}', { event: { request: { url: '/a' } } }, '/a'],
  ])('%s', (template, payload, text) => expect(render(template, payload).value).toBe(text));

  test('also in split and expandJson', () => {
    const mapping = {
      split: 'request.query',
      expandJson: ['request.query'],
      fields: { title: { template: '{{item}}' } },
    };
    const { alerts } = normalize(compiled(mapping), bytes({ request: { query: '["a","b"]' } }), REQUEST);
    expect(alerts.map(({ fields }) => fields.title.value)).toEqual(['a', 'b']);
  });
});

test('without a request its paths are missing, and the other fields are not affected', () => {
  const mapping = compiled({
    fields: { title: { template: '{{request.query.env}}' }, source: { template: '{{webhook.a}}' } },
  });
  const { fields } = only(normalize(mapping, bytes({ a: 'b' })));
  expect(fields.title).toMatchObject({
    value: null,
    result: 'missing',
    missing: [{ path: 'request.query.env' }],
  });
  expect(fields.source.value).toBe('b');
});

test.each([
  ['{{request.headers.x-github-evnt}}', {}, 'request.headers.x-github-event'],
  ['{{request.headers.X-GitHub-Event}}', {}, 'request.headers.x-github-event'],
  ['{{request.query.x-github-event}}', {}, 'request.headers.x-github-event'],
  ['{{webhook.headers.x-github-event}}', {}, 'request.headers.x-github-event'],
  ['{{webhook.query.env}}', {}, 'request.query.env'],
  ['{{request.headers.host}}', { request: { headers: { host: 'h' } } }, 'webhook.request.headers.host'],
  ['{{request.headers.nothing-like-it}}', {}, null],
])('%s with %j suggests %s', (template, payload, nearest) => {
  expect(render(template, payload).missing[0]?.nearest).toBe(nearest);
});

test.each([
  ['{{request.body.alert.name}}', 'webhook.alert.name'],
  ['{{request.url}}', 'webhook.request.url'],
])('%s is rejected and suggests %s', (template, instead) => {
  const [error] = errorsOf({ fields: { title: { template } } });
  expect(error).toMatchObject({ code: 'unknown_name', field: 'fields.title.template' });
  expect(error?.message).toContain(`write ${instead}`);
});

test('a field that uses only the request is rendered once for all alerts', () => {
  const stored = compileStored({
    split: 'list',
    fields: { title: { template: '{{request.headers.x-github-event}}' } },
  });
  if ('errors' in stored) throw new Error('does not compile');
  const alerts = prepareAlerts(stored.mapping, { value: { list: [1, 2] } }, REQUEST);
  const [first, second] = [alerts.render(0), alerts.render(1)];
  expect(first.fields.title.value).toBe('issues');
  expect(second.fields.title).toBe(first.fields.title);
});

test('the field tree has a branch for the request after the payload', () => {
  const parsed = parsePayload('{"a":1}');
  if ('error' in parsed) throw new Error(parsed.error);
  const paths = fieldTree(parsed.value, null, REQUEST).nodes.map(({ path }) => path);
  expect(paths).toEqual([
    'webhook',
    'webhook.a',
    'request',
    'request.method',
    'request.contentType',
    'request.query',
    'request.query.env',
    'request.query.tag',
    'request.query.tag[0]',
    'request.query.tag[1]',
    'request.headers',
    'request.headers.x-github-event',
    'request.headers.user-agent',
  ]);
  expect(fieldTree(parsed.value).nodes.map(({ path }) => path)).toEqual(['webhook', 'webhook.a']);
});

test('a stored request is parsed only if the mapping reads it', () => {
  let parsed = 0;
  const source = () => {
    parsed += 1;
    return REQUEST;
  };
  const titleOf = (template: string) =>
    only(normalize(compiled({ fields: { title: { template, default: 'none' } } }), bytes({ a: 'b' }), source))
      .fields.title.value;
  expect(titleOf('{{webhook.a}} {{webhook.missing}}')).toBe('none');
  expect(parsed).toBe(0);
  expect(titleOf('{{request.method}}')).toBe(REQUEST.method);
  expect(parsed).toBe(1);
});

test('a source parses its text once, and invalid text means that there is none', () => {
  const source = storedRequest('{"method":"POST"}');
  expect(source()).toBe(source());
  expect(storedRequest('{')()).toBeUndefined();
  expect(storedRequest(undefined)()).toBeUndefined();
});
