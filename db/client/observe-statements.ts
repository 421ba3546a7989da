/** Called with the text of a statement, which may contain values, before it is sent. Returns what to call at its end. */
export type StatementObserver = (sql: string) => ((error?: unknown) => void) | null;

type Send = (statement: string | { sql: string }, ...rest: unknown[]) => NodeJS.EventEmitter;

let observer: StatementObserver | null = null;

/** Observes the statements of connections that are opened from now on. Without an observer, connections are left alone. */
export function observeStatements(observe: StatementObserver | null): void {
  observer = observe;
}

/** Returns what to call at the end of a statement, or null if nobody observes it. */
export const statementStarts = (sql: string): ReturnType<StatementObserver> =>
  observer === null ? null : observer(sql);

/** Reports the statements of a new connection of the driver. */
export function watchConnection(connection: object): void {
  if (observer === null) return;
  const methods = connection as Record<'query' | 'execute', Send>;
  for (const name of ['query', 'execute'] as const) methods[name] = watched(methods[name].bind(connection));
}

const watched =
  (send: Send): Send =>
  (statement, ...rest) => {
    const ended = statementStarts(typeof statement === 'string' ? statement : statement.sql);
    if (!ended) return send(statement, ...rest);
    const done = rest.at(-1);
    if (typeof done === 'function')
      return send(statement, ...rest.slice(0, -1), (error: Error | null, ...results: unknown[]) => {
        ended(error);
        done(error, ...results);
      });
    // A query without a callback emits its rows.
    return send(statement, ...rest)
      .once('error', ended)
      .once('end', () => ended());
  };
