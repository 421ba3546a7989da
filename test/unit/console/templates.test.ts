import { describe, expect, test } from '@jest/globals';
import { hueOf, initialsOf } from '../../../api/console/integrations/gallery/initials.js';
import { filledFields, findTemplates } from '../../../api/console/integrations/gallery/template-search.js';
import { safeLink } from '../../../api/console/parts/values/safe-link.js';
import { catalogue } from '../../../workers/mapping/catalogue/index.js';

const titles = (search: string) => findTemplates(catalogue, search).map(({ title }) => title);

describe('the template gallery', () => {
  test('lists all templates: generic ones first, then by title', () => {
    const all = findTemplates(catalogue, '');
    expect(all).toHaveLength(catalogue.length);
    const generic = all.findIndex(({ name }) => !name.startsWith('generic-'));
    expect(generic).toBe(catalogue.filter(({ name }) => name.startsWith('generic-')).length);
    const others = all.slice(generic).map(({ title }) => title);
    expect(others).toEqual([...others].sort((a, b) => a.localeCompare(b, 'en')));
  });

  test('searches for every word, ignoring case, in name and title', () => {
    expect(titles('  CLOUDWATCH sns ')).toEqual(['Amazon CloudWatch by SNS']);
    expect(titles('prometheus')).toContain('Prometheus Alertmanager');
    expect(titles('no such source')).toEqual([]);
  });

  test('shows the fields that a template fills', () => {
    const datadog = catalogue.find(({ name }) => name === 'datadog');
    expect(filledFields(datadog as NonNullable<typeof datadog>)).toEqual({
      fields: ['title', 'severity', 'description', 'source', 'service', 'environment', 'team'],
      custom: ['transition', 'host', 'metric'],
      deduplicates: true,
    });
    const splunk = catalogue.find(({ name }) => name === 'splunk');
    expect(filledFields(splunk as NonNullable<typeof splunk>).deduplicates).toBe(false);
  });

  test.each([
    ['Datadog monitor', 'DM'],
    ['Auvik', 'Au'],
    ['AppDynamics (HTTP request template)', 'Ap'],
    ['Elastic / Kibana rule', 'EK'],
    ['', '?'],
    ['<img src=x>', 'IS'],
    ['日本', '日本'],
  ])('shows %j with the initials %s', (title, letters) => {
    expect(initialsOf(title)).toBe(letters);
  });

  test('derives a stable hue from each name, with different hues for different names', () => {
    const hues = catalogue.map(({ name }) => hueOf(name));
    expect(hues).toEqual(catalogue.map(({ name }) => hueOf(name)));
    expect(new Set(hues).size).toBeGreaterThan(40);
    for (const hue of hues) expect(hue >= 0 && hue < 360).toBe(true);
  });

  test('links to documentation by https only', () => {
    expect(safeLink('https://example.com/a b')).toBe('https://example.com/a%20b');
    for (const address of [
      'http://example.com',
      'javascript:alert(1)',
      'data:text/html,x',
      '//x',
      '',
      null,
    ]) {
      expect(safeLink(address)).toBeNull();
    }
    for (const { documentation } of catalogue) expect(safeLink(documentation)).not.toBeNull();
  });
});
