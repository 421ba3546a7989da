const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The sizes that are chosen from, in seconds. */
const SIZES = [
  ...[1, 2, 5, 10, 15, 30],
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR),
  ...[1, 2, 7, 14, 28].map((days) => days * DAY),
];
/** A chosen size gives at most this many buckets, unless even the largest size gives more. */
const PREFERRED_BUCKETS = 100;
export const MAX_BUCKETS = 200;
/** Ten years: ranges of any retention fit into the most buckets. */
export const MAX_BUCKET_SECONDS = 3_650 * DAY;

/** No alert is older or newer. Within this time, buckets start and end in years of four digits. */
const [EARLIEST, LATEST] = [0, Date.UTC(9_900, 0)];

/** Parts of a time range, all of the same size. */
export interface Buckets {
  /** Start of the first one: a multiple of the size since 1970. */
  start: Date;
  bucketSeconds: number;
  count: number;
}

/**
 * Splits a time range into at most 200 buckets.
 * @param bucketSeconds the size; by default the smallest round one that gives at most 100 buckets
 * @returns what is wrong with the size if it gives more
 */
export function toBuckets(range: { from: Date; to: Date }, bucketSeconds?: number): Buckets | string {
  const [from, to] = [range.from, range.to].map((time) =>
    Math.min(Math.max(time.getTime(), EARLIEST), LATEST),
  ) as [number, number];
  const split = (size: number): Buckets => {
    const first = Math.floor(from / 1_000 / size);
    const end = Math.ceil(to / 1_000 / size);
    return { start: new Date(first * size * 1_000), bucketSeconds: size, count: Math.max(1, end - first) };
  };
  if (bucketSeconds === undefined) {
    const chosen = SIZES.map(split).find(({ count }) => count <= PREFERRED_BUCKETS);
    const days = Math.ceil((to - from) / 1_000 / DAY / PREFERRED_BUCKETS);
    return chosen ?? split((days + 1) * DAY);
  }
  const buckets = split(bucketSeconds);
  if (buckets.count <= MAX_BUCKETS) return buckets;
  const seconds = (to - from) / 1_000;
  return `gives ${buckets.count} buckets for this time range: must be at least ${Math.ceil(seconds / (MAX_BUCKETS - 1))}`;
}

/** Returns when each bucket starts. */
export const bucketStarts = ({ start, bucketSeconds, count }: Buckets): Date[] =>
  Array.from({ length: count }, (_, number) => new Date(start.getTime() + number * bucketSeconds * 1_000));
