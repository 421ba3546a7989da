/**
 * Returns a function that runs tasks one after the other. For CPU-bound tasks that yield to the event loop from time to
 * time: several at once would all run in the same turn of the event loop, and delay every other request by the sum of them.
 */
export function serialQueue(): <Result>(task: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const result = last.then(task);
    last = result.catch(() => {});
    return result;
  };
}
