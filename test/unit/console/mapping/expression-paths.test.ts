import { expect, test } from '@jest/globals';
import {
  expressionPaths,
  pathsInExpression,
} from '../../../../api/console/mapping/expression-editor/expression-paths.ts';
import { fieldTree } from '../../../../workers/mapping/index.js';

const PAYLOAD = {
  state: 'up',
  states: 'x',
  labels: { env: 'prod', 'app.name': 'shop' },
  list: [{ a: 1 }, { a: 2 }],
  tags: ['team:db', 'zone:eu'],
};
const LOOKUP = { pickable: true, sample: '' };
const PATHS = expressionPaths([
  ...fieldTree(PAYLOAD).nodes,
  { ...LOOKUP, path: 'lookup.service', type: 'object' },
  { ...LOOKUP, path: 'lookup.service.tier', type: 'text' },
]);

test.each([
  ['webhook.state == "down"', ['webhook.state']],
  [
    'webhook.labels.env.startsWith("p") && webhook.list[1].a > 1',
    ['webhook.labels.env', 'webhook.list[1].a'],
  ],
  ['webhook.labels["app.name"]', ['webhook.labels["app.name"]']],
  ['size(webhook.list) > 0', ['webhook.list']],
  ['"webhook.state" + \'webhook.states\'', []],
  ['webhook.state.lowerAscii().contains(webhook.states)', ['webhook.state', 'webhook.states']],
  ['webhook.stat', []],
  ['mywebhook.state', []],
  ['webhook.tags.exists(t, t == "webhook.state")', ['webhook.tags']],
  ['lookup.service.tier == 1 && has(lookup.service)', ['lookup.service', 'lookup.service.tier']],
  ['', []],
])('%s uses %j', (expression, paths) => {
  expect(pathsInExpression(expression, PATHS)).toEqual(paths);
});
