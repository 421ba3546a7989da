let last: Promise<unknown> = Promise.resolve();

/**
 * Does a preview when those before it are done. Each gives the event loop a turn between two events; several at once would
 * all have their piece done in one and the same turn, and keep every other request waiting for the sum of them.
 */
export function oneAtATime<Result>(work: () => Promise<Result>): Promise<Result> {
  const mine = last.then(work);
  last = mine.catch(() => {});
  return mine;
}
