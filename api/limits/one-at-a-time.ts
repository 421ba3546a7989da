/**
 * Makes a function that does a piece of work when those before it are done. Each such piece gives the event loop a turn
 * now and then; several at once would all go on in one and the same turn, and keep every other request waiting for the
 * sum of them.
 */
export function oneAtATime(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work);
    last = mine.catch(() => {});
    return mine;
  };
}
