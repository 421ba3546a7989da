import { createHash } from 'node:crypto';
import { badRequest, type RequestError } from '../http/errors.js';
import type { Headers } from './content-headers.js';
import { malformedHeader } from './header-value.js';

/** The algorithms that are checked, by their names in the headers (RFC 9530, RFC 3230), and the bytes of a digest. */
const ALGORITHMS: Readonly<Record<string, [hash: string, bytes: number]>> = {
  'sha-256': ['sha256', 32],
  'sha-512': ['sha512', 64],
  md5: ['md5', 16],
};

interface Expected {
  header: string;
  hash: string;
  digest: Buffer;
}

/**
 * Passes content through, and checks it against the digests that its headers announce. Digests of other algorithms are ignored, as
 * RFC 9530 §2 allows.
 * @throws RequestError 400 `digest_mismatch` at the end of the content
 */
export function checkDigests(content: AsyncGenerator<Buffer>, headers: Headers): AsyncGenerator<Buffer> {
  const expected = digestsOf(headers);
  return expected.length === 0 ? content : checked(content, expected);
}

async function* checked(
  content: AsyncGenerator<Buffer>,
  expected: readonly Expected[],
): AsyncGenerator<Buffer> {
  const hashes = new Map(expected.map(({ hash }) => [hash, createHash(hash)]));
  for await (const chunk of content) {
    for (const hash of hashes.values()) hash.update(chunk);
    yield chunk;
  }
  const found = new Map([...hashes].map(([name, hash]) => [name, hash.digest()]));
  const wrong = expected.find(({ hash, digest }) => !found.get(hash)?.equals(digest));
  if (wrong) throw mismatch(wrong.header);
}

const mismatch = (header: string): RequestError =>
  badRequest('digest_mismatch', `The content does not have the digest of \`${header}\`. Send it again.`);

/** @throws RequestError 400 `malformed_header` */
function digestsOf(headers: Headers): Expected[] {
  const lists = [
    ...listed('Content-Digest', headers, /^([\w*.-]+)=:([A-Za-z0-9+/]+={0,2}):$/),
    ...listed('Repr-Digest', headers, /^([\w*.-]+)=:([A-Za-z0-9+/]+={0,2}):$/),
    ...listed('Digest', headers, /^([\w-]+)=([A-Za-z0-9+/]+={0,2})$/),
  ];
  const md5 = headers.get('content-md5');
  return md5 === undefined ? lists : [...lists, ...one('Content-MD5', 'md5', md5.trim())];
}

function listed(header: string, headers: Headers, form: RegExp): Expected[] {
  const value = headers.get(header.toLowerCase());
  if (value === undefined) return [];
  return value.split(',').flatMap((member) => {
    const [, algorithm, digest] = form.exec(member.trim()) ?? [];
    if (algorithm === undefined || digest === undefined)
      throw malformedHeader(header, 'it must be a list of algorithms and digests in base64');
    return one(header, algorithm.toLowerCase(), digest);
  });
}

function one(header: string, algorithm: string, text: string): Expected[] {
  const known = Object.hasOwn(ALGORITHMS, algorithm) ? ALGORITHMS[algorithm] : undefined;
  if (!known) return [];
  const [hash, bytes] = known;
  const isHex = text.length === 2 * bytes && /^[0-9a-f]+$/i.test(text);
  const digest = Buffer.from(text, isHex ? 'hex' : 'base64');
  if (digest.length !== bytes)
    throw malformedHeader(header, `a digest of ${algorithm} has ${bytes} bytes, in base64 or hex`);
  return [{ header, hash, digest }];
}
