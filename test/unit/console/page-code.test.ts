import { expect, test } from '@jest/globals';
import Router from '@koa/router';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { Router as ClientRouter, Route, Switch } from 'wouter';
import { dataOf, PAGE_CODE, pageAt } from '../../../api/console/page-code.ts';
import { mountConsole } from '../../../api/routes/operations/console.js';

const PATHS = Object.keys(PAGE_CODE);

/** Returns the path of the page that the router of the console shows at a location; undefined if it shows none. */
function routedAt(location: string): string | undefined {
  const routes = PATHS.map((path) => createElement(Route, { key: path, path }, path));
  const shown = createElement(Switch, null, routes);
  return (
    renderToStaticMarkup(createElement(ClientRouter, { ssrPath: location, children: shown })) || undefined
  );
}

/** Returns locations with and without a value of each parameter, in other spellings, and near misses. */
function locationsOf(path: string): string[] {
  const values = ['4f1c', 'Test', 'new', ''];
  const plain = values.map((value) => path.replace(/:\w+\??/g, value));
  const short = plain.map((location) => location.replace(/\/[^/]*$/, ''));
  return [...plain, ...short].flatMap((location) => [
    location,
    `${location}/`,
    `${location}//`,
    `/${location}`,
    `${location}/more`,
    `${location}/more/still`,
    `${location}s`,
    location.toUpperCase(),
  ]);
}

test('the code that is loaded early is that of the page that the router shows, at every location', () => {
  const locations = [...new Set(['/', ...PATHS.flatMap(locationsOf)])].filter(Boolean);
  const pages = (pageOf: (location: string) => string | undefined) =>
    Object.fromEntries(locations.map((location) => [location, pageOf(location)]));
  const routed = pages(routedAt);
  expect(new Set(Object.values(routed))).toEqual(new Set([...PATHS, undefined]));
  expect(pages(pageAt)).toEqual(routed);
});

test.each([
  ['/alerts/4f1c', ['/v2/alerts/4f1c']],
  ['/destinations/4f1c/settings', ['/v2/destinations/4f1c']],
  ['/integrations/4f1c', ['/v2/webhooks/4f1c']],
  ['/integrations/4F1C/settings/', ['/v2/webhooks/4F1C', '/v2/signature-presets', '/v2/webhook-templates']],
  ['/integrations/4f1c/none', ['/v2/webhooks/4f1c']],
  ['/alerts/', []],
  ['/alerts', []],
  ['/integrations/new', []],
])('the data of %s is at %s', (location, addresses) => {
  expect(dataOf(location)).toEqual(addresses);
});

test('the server has the console at the address of each page', () => {
  const router = new Router();
  mountConsole(router, 'no folder');
  const locations = PATHS.flatMap((path) =>
    locationsOf(path).filter((location) => pageAt(location) === path),
  );
  expect(locations.filter((location) => !router.match(location, 'GET').route)).toEqual([]);
});
