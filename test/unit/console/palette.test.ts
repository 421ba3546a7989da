import { describe, expect, test } from '@jest/globals';
import { entriesFor, findEntries, searchesFor } from '../../../api/console/shell/palette/entries.js';
import { kindsOf, uuidIn } from '../../../api/console/shell/palette/id-kinds.js';

const EVERYTHING = [
  'admin',
  'webhooks:read',
  'webhooks:write',
  'alerts:read',
  'developer_records:read',
  'developer_records:write',
] as const;
const integrations = ['Shop alerts', 'Alerts of the shop', 'Cluster west'].map((name) => ({
  id: name,
  name,
}));
const entries = entriesFor({ scopes: EVERYTHING, integrations });
const namesFor = (text: string) => findEntries(entries, text).map(({ name }) => name);

describe('the palette', () => {
  test('finds names that contain every word, first those that begin with the text, by group', () => {
    expect(namesFor('alerts')).toEqual(['Alerts', 'Incomplete alerts', 'Alerts of the shop', 'Shop alerts']);
    expect(namesFor('  SHOP alerts ')).toEqual(['Shop alerts', 'Alerts of the shop']);
    expect(namesFor('nothing like it')).toEqual([]);
  });

  test('shows at most eight integrations in addition to pages and actions', () => {
    const many = Array.from({ length: 100 }, (_, id) => ({ id: `${id}`, name: `Integration ${id}` }));
    const found = findEntries(entriesFor({ scopes: EVERYTHING, integrations: many }), 'integration');
    expect(found.filter(({ group }) => group === 'Integrations')).toHaveLength(8);
    expect(found.slice(0, 2).map(({ name }) => name)).toEqual(['Integrations', 'New integration']);
  });

  test('offers only what the key may open', () => {
    const found = entriesFor({ scopes: ['alerts:read'], integrations: [] }).map(({ name }) => name);
    expect(found).toEqual(['Alerts', 'Events', 'Jobs', 'Health', 'Incomplete alerts', 'Failed events']);
    expect(searchesFor('disk', ['alerts:read']).map(({ name }) => name)).toEqual(['Alerts with “disk”']);
  });

  test('starts searches with the text, whatever it contains', () => {
    expect(searchesFor(' a&b ', EVERYTHING).map(({ href }) => href)).toEqual([
      '/alerts?search=a%26b&status=all',
      '/identities?searchKey=identity&searchValue=a%26b',
    ]);
    expect(searchesFor(' ', EVERYTHING)).toEqual([]);
  });
});

test('an ID is found in an address or a line of a log', () => {
  const id = '019aa6a1-3f2c-7b1e-9d11-0123456789ab';
  expect(uuidIn(`https://muster.example/alerts/${id.toUpperCase()}?x=1`)).toBe(id);
  expect(uuidIn(`{"jobId":"${id}"}`)).toBe(id);
  expect(uuidIn('019aa6a1-3f2c-7b1e-9d11')).toBeNull();
});

test('the end of an ID tells events from alerts', () => {
  const firstOf = (end: string) => kindsOf(`019aa6a1-3f2c-7b1e-9d11-012345678${end}`)[0]?.name;
  expect([firstOf('000'), firstOf('001'), firstOf('fff')]).toEqual(['Event', 'Alert', 'Alert']);
});
