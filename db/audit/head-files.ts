import type { ChainPlace } from './verify-chain.js';

/** The heads of all shards at one time, kept outside of the database. */
export interface HeadFile {
  at: Date;
  heads: ChainPlace[];
}

/** Returns the key of the file of a day. */
export const headFileKey = (day: Date): string => `audit/heads-${day.toISOString().slice(0, 10)}.json`;

export const toHeadFile = ({ at, heads }: HeadFile): string =>
  `${JSON.stringify({ at, heads: heads.map((one) => ({ ...one, hash: one.hash.toString('hex') })) })}\n`;

/** @throws an error if it is not the text of such a file */
export function parseHeadFile(text: string): HeadFile {
  const { at, heads }: { at: string; heads: { shard: number; sequence: number; hash: string }[] } =
    JSON.parse(text);
  return {
    at: new Date(at),
    heads: heads.map(({ shard, sequence, hash }) => ({
      shard: Number(shard),
      sequence: Number(sequence),
      hash: Buffer.from(hash, 'hex'),
    })),
  };
}
