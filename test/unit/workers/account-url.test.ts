import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ACCOUNT_SYSTEM_KINDS, type AccountSystemKind } from '../../../workers/text/account-system-kinds.js';
import { accountUrlFault, fillAccountUrl } from '../../../workers/text/account-url.js';

const PATTERNS = [
  'https://github.com/{identity}',
  'http://h:8080/a/{identity}/b',
  'https://h.example/.{identity}',
  'https://h.example/%2e{identity}/x',
  'https://h.example/?q={identity}&x=1',
  'https://h.example#{identity}',
];
const identity = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1, maxLength: 255 }),
  fc.constantFrom(
    '.',
    '..',
    '$&',
    "$'",
    '/',
    '//evil.example',
    '@evil.example',
    '\\',
    '%2e%2e',
    '?',
    '#',
    'a b',
  ),
);

test('every kind has a pattern, or an example of one, that is right', () => {
  const kinds: readonly AccountSystemKind[] = ACCOUNT_SYSTEM_KINDS;
  expect(kinds.map(({ accountUrl, example = '' }) => accountUrlFault(accountUrl ?? example))).toEqual(
    kinds.map(() => null),
  );
});

test.each(PATTERNS)('an identity changes nothing of %s but its own place', (pattern) => {
  expect(accountUrlFault(pattern)).toBeNull();
  const [before = '', after = ''] = pattern.split('{identity}');
  fc.assert(
    fc.property(identity, (text) => {
      const url = fillAccountUrl(pattern, text);
      if (url === null) return;
      const middle = url.slice(before.length, url.length - after.length);
      expect([url.startsWith(before), url.endsWith(after), decodeURIComponent(middle)]).toEqual([
        true,
        true,
        text,
      ]);
      expect(middle).toMatch(/^[\w.!~*'()%-]+$/);
      const [filled, plain] = [new URL(url), new URL(`${before}x${after}`)];
      expect(filled.origin).toBe(plain.origin);
      expect(filled.pathname.split('/')).toHaveLength(plain.pathname.split('/').length);
    }),
  );
});

test('what no URL can contain has no link', () => {
  for (const text of ['.', '..', '\ud800'])
    expect(fillAccountUrl('https://h.example/{identity}', text)).toBeNull();
  expect(fillAccountUrl('https://h.example/.{identity}', '.')).toBeNull();
  expect(fillAccountUrl('https://h.example/?q={identity}', '..')).toBe('https://h.example/?q=..');
  expect(fillAccountUrl('javascript:{identity}', 'x')).toBeNull();
  expect(fillAccountUrl('https://github.com/{identity}', 'a/b?c#d $&')).toBe(
    'https://github.com/a%2Fb%3Fc%23d%20%24%26',
  );
});
