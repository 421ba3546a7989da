import { expect, test } from '@jest/globals';
import { insertAt, isAppended } from '../../../../api/console/mapping/model/draft/tags.ts';

/** `|` marks the cursor. */
test.each([
  ['', '{{webhook.a}}', '{{webhook.a}}'],
  ['CPU of', '{{webhook.a}}', 'CPU of {{webhook.a}}'],
  ['CPU of|', '{{webhook.a}}', 'CPU of {{webhook.a}}'],
  ['on | now', '{{webhook.a}}', 'on {{webhook.a}} now'],
  ['|now', '{{webhook.a}}', '{{webhook.a}}now'],
  ['{{web|hook.b}} now', '{{webhook.a}}', '{{webhook.b}}{{webhook.a}} now'],
  ['size(|) > 1', 'webhook.a', 'size(webhook.a) > 1'],
  ['|.startsWith("x")', 'webhook.a', 'webhook.a.startsWith("x")'],
  ['| == "x"', 'webhook.a', 'webhook.a == "x"'],
  ['webhook.b| == "x"', 'webhook.a', 'webhook.b webhook.a == "x"'],
  ['first(|webhook.b)', 'webhook.a[0]', 'first(webhook.a[0] webhook.b)'],
])('%s with %s becomes %s', (marked, text, result) => {
  const at = marked.indexOf('|');
  const [source, cursor] = [marked.replace('|', ''), at === -1 ? undefined : at];
  expect(insertAt(source, text, cursor)).toBe(result);
  expect(isAppended(source, cursor)).toBe(source !== '' && result === `${source} ${text}`);
});
