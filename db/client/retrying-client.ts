import { BaseClient, type ClientBuilder, type ClientRunner } from './driver.js';
import { repeatConflicts } from './repeat-conflicts.js';

/**
 * knex's client for mysql2 that repeats a single statement, outside a transaction, if it was rolled back because of another
 * transaction. On one server this is rare. In a cluster, any write can fail so, because another node wrote the row.
 */
export class RetryingClient extends BaseClient {
  override runner(builder: ClientBuilder): ClientRunner {
    const runner = super.runner(builder);
    if (this.transacting) return runner;
    runner.run = () => repeatConflicts(() => super.runner(builder).run());
    return runner;
  }
}
