/** How much work of this process is waiting for a server to come back. The metrics show it. */
export const waiting = {
  /** Pieces of work that wait for the database. */
  database: 0,
  /** Jobs that wait for the file store. */
  store: 0,
};
