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
const PATHS = expressionPaths(fieldTree(PAYLOAD).nodes);

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
  ['', []],
])('%s uses %j', (expression, paths) => {
  expect(pathsInExpression(expression, PATHS)).toEqual(paths);
});
