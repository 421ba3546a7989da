import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { beforeAll, expect, test } from '@jest/globals';
import type { FileStore } from '../../../db/files/index.js';

/** More than one part of an S3 upload, and not a multiple of the part size. */
const large = Buffer.alloc(20 * 1024 * 1024 + 7, 'muster');

/** Tests what every file store promises, on the empty one that `open` returns. */
export function testFileStore(open: () => FileStore): void {
  let files: FileStore;
  beforeAll(() => {
    files = open();
  });

  test('are read back unchanged, completely and in part, with their size', async () => {
    for (const [key, content] of [
      ['results/small', Buffer.from('a,b\n')],
      ['results/large', large],
    ] as const) {
      expect(await files.write(key, Readable.from([content]))).toEqual({ bytes: content.length });
      expect(await files.stat(key)).toMatchObject({ bytes: content.length });
      expect((await buffer(files.read(key))).equals(content)).toBe(true);
      const [start, end] = [1, content.length - 2];
      expect((await buffer(files.read(key, { start, end }))).equals(content.subarray(start, end + 1))).toBe(
        true,
      );
    }
  });

  test('are replaced completely', async () => {
    await files.write('uploads/twice', Readable.from([Buffer.from('the first one')]));
    await files.write('uploads/twice', Readable.from([Buffer.from('2nd')]));
    expect(String(await buffer(files.read('uploads/twice')))).toBe('2nd');
  });

  test.each([0, 3, 9 * 1024 * 1024, 18 * 1024 * 1024])(
    'leave nothing behind when their source fails after %i bytes, and it fails with the same error',
    async (bytes) => {
      const failure = new Error('the source failed');
      const source = Readable.from(
        (async function* () {
          for (let sent = 0; sent < bytes; sent += 1024 * 1024)
            yield Buffer.alloc(Math.min(bytes, 1024 * 1024));
          throw failure;
        })(),
      );
      await expect(files.write('results/broken', source)).rejects.toBe(failure);
      expect(await files.stat('results/broken')).toBeNull();
      const keys: string[] = [];
      for await (const key of files.list()) keys.push(key);
      expect(keys).not.toContain('results/broken');
    },
  );

  test('are listed by their keys until they are removed', async () => {
    await files.write('uploads/one', Readable.from([Buffer.from('1')]));
    const list = async () => {
      const keys: string[] = [];
      for await (const key of files.list()) keys.push(key);
      return keys;
    };
    expect(await list()).toContain('uploads/one');
    await files.remove('uploads/one');
    await files.remove('uploads/one');
    expect(await list()).not.toContain('uploads/one');
    expect(await files.stat('uploads/one')).toBeNull();
  });

  test('that do not exist fail with a specific error', async () => {
    await expect(buffer(files.read('results/nothing'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('may be read in part and then abandoned', async () => {
    await files.write('results/left', Readable.from([large]));
    for await (const chunk of files.read('results/left')) {
      expect(chunk.length).toBeGreaterThan(0);
      break;
    }
    expect((await files.stat('results/left'))?.bytes).toBe(large.length);
  });
}
