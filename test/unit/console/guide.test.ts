import { expect, test } from '@jest/globals';
import { HELP_PAGES, helpFor } from '../../../api/console/shell/help.js';
import { readGuide } from '../../../api/console/vite/guide/guide.js';
import { guideName, renderPage } from '../../../api/console/vite/guide/render.js';

const pages = readGuide();

/** Returns whether an address of the guide exists, also the heading that it names. */
function exists(address: string): boolean {
  const [, name = '', anchor] = /^\/guide\/([^#]+)#?(.*)$/.exec(address) ?? [];
  const page = pages.get(name);
  return page !== undefined && (!anchor || page.anchors.includes(anchor));
}

test('every help link leads to a heading of the guide', () => {
  expect(HELP_PAGES.filter((address) => !exists(address))).toEqual([]);
  expect(exists('/guide/alerts#nonsense')).toBe(false);
});

test('every page has a title, and its links lead to pages and headings that exist', () => {
  expect(pages.size).toBeGreaterThan(10);
  for (const [name, { title, html, anchors }] of pages) {
    expect(title).not.toBe('');
    const links = [...html.matchAll(/<a href="([^"]*)"/g)].map(([, href]) => href as string);
    const inside = links.map((href) => (href.startsWith('#') ? `/guide/${name}${href}` : href));
    expect(inside.filter((href) => href.startsWith('/') && !exists(href))).toEqual([]);
    expect(new Set(anchors).size).toBe(anchors.length);
  }
});

test('the page of the console decides about its help', () => {
  expect(helpFor('/integrations/0199/mapping')).toBe('/guide/mapping');
  expect(helpFor('/integrations/0199/settings')).toBe('/guide/signatures');
  expect(helpFor('/integrations/0199')).toBe('/guide/alerts');
  expect(helpFor('/identities/upload')).toBe('/guide/importing#csv');
  expect(helpFor('/nonsense')).toBe('/guide/console');
});

test('links out of the guide become text, and nothing of a page is HTML of its own', () => {
  const { html } = renderPage(
    'operating/backup.md',
    '# A\n[b](../alerts.md#c) [d](../architecture/e.md) [f](../../README.md) [g](https://h.example/) ![i](j.png)\n\n<script>k</script>\n\n## A\n',
  );
  expect(html).toContain('<a href="/guide/alerts#c">b</a> d f <a href="https://h.example/">g</a>');
  expect(html).toContain('&lt;script>');
  expect(html).toContain('<h2 id="a-1">');
  expect(html).not.toContain('<img');
  expect(guideName('operating/backup.md')).toBe('operating-backup');
});
