import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { contentCoding } from '../../../api/http/content-coding.js';
import { CODINGS, decompress } from '../../../api/intake/request/decompress.js';

const MIB = 1024 * 1024;
const TEXT = JSON.stringify({ alert: 'High CPU', text: 'é'.repeat(1_000) });

type Coding = (typeof CODINGS)[number];
const plain = async (coding: Coding, body: Buffer, limit = MIB) =>
  (await decompress(coding, body, limit, () => {})).toString();

test.each<[string, Coding, Buffer]>([
  ['gzip', 'gzip', gzipSync(TEXT)],
  ['two gzip members', 'gzip', Buffer.concat([gzipSync(TEXT.slice(0, 10)), gzipSync(TEXT.slice(10))])],
  ['deflate with the header of zlib', 'deflate', deflateSync(TEXT)],
  ['deflate without it', 'deflate', deflateRawSync(TEXT)],
])('decompresses %s', async (_, coding, body) => expect(await plain(coding, body)).toBe(TEXT));

test.each<[string, Coding, Buffer]>([
  ['text', 'gzip', Buffer.from(TEXT)],
  ['a cut-off body', 'gzip', gzipSync(TEXT).subarray(0, 40)],
  ['a wrong checksum', 'gzip', Buffer.concat([gzipSync(TEXT).subarray(0, -8), Buffer.alloc(8, 1)])],
  ['a cut-off body', 'deflate', deflateSync(TEXT).subarray(0, 40)],
])('rejects %s as %s', async (_, coding, body) => {
  await expect(plain(coding, body)).rejects.toMatchObject({ status: 400, code: 'malformed_body' });
});

test.each([
  [undefined, null],
  ['', null],
  ['identity', null],
  ['GZip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['identity, gzip', 'gzip'],
  [' deflate ,', 'deflate'],
])('`Content-Encoding: %s` means %s', (header, coding) =>
  expect(contentCoding(header, CODINGS)).toBe(coding),
);

test.each(['br', 'gzip, gzip', 'gzip;q=1', 'toString'])('`Content-Encoding: %s` is rejected', (header) => {
  expect(() => contentCoding(header, CODINGS)).toThrow(
    expect.objectContaining({
      status: 415,
      details: { headers: { 'Accept-Encoding': 'gzip, deflate, identity' } },
    }),
  );
});

test('the limit counts decompressed bytes', async () => {
  const body = gzipSync('x'.repeat(1_000));
  expect(await plain('gzip', body, 1_000)).toHaveLength(1_000);
  await expect(plain('gzip', body, 999)).rejects.toMatchObject({ status: 413 });
});

test('a bomb of 256 MiB is stopped at the limit', async () => {
  const bomb = gzipSync(Buffer.alloc(256 * MIB));
  expect(bomb.length).toBeLessThan(MIB);
  const before = process.memoryUsage().rss;
  let reserved = 0;
  const reading = decompress('gzip', bomb, MIB, (bytes) => {
    reserved = bytes;
  });
  await expect(reading).rejects.toMatchObject({ status: 413 });
  expect(reserved).toBeLessThanOrEqual(MIB);
  expect(process.memoryUsage().rss - before).toBeLessThan(64 * MIB);
});

test('stops when there is no memory left for it', async () => {
  const full = () => {
    throw new Error('full');
  };
  await expect(decompress('gzip', gzipSync(TEXT), MIB, full)).rejects.toThrow('full');
});
