import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { type Dashboard, expressionsOf, type Panel } from '../../support/deploy/dashboard.js';

const dashboard: Dashboard = JSON.parse(readFileSync('deploy/grafana/muster.json', 'utf8'));
const { panels } = dashboard;

test('every panel has an id of its own, and a title', () => {
  expect(panels.length).toBeGreaterThan(15);
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  expect(panels.filter(({ title }) => title === '')).toEqual([]);
});

test('panels fit next to each other in the 24 columns, without overlaps', () => {
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }: Panel) =>
    Array.from({ length: w * h }, (_, i) => `${x + (i % w)},${y + Math.floor(i / w)}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
  for (const { gridPos } of panels) expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
});

test('every panel but the rows has expressions, each with its own refId', () => {
  for (const { type, targets = [] } of panels) {
    expect(targets.length > 0).toBe(type !== 'row');
    expect(new Set(targets.map(({ refId }) => refId)).size).toBe(targets.length);
  }
});

test('expressions use no variable that the dashboard does not have', () => {
  const variables = dashboard.templating.list.map(({ name }) => name);
  expect(variables).toEqual(['datasource', 'instance']);
  expect(expressionsOf(dashboard).filter((expression) => expression.includes('$'))).toEqual([]);
});
