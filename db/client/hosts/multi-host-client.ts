import type { Knex } from 'knex';
import type { BaseClient, DriverConnection } from '../driver.js';
import type { DatabaseHosts } from './database-hosts.js';

/** How often a connection is tried. After the first failure the process may have moved to another host. */
const TRIES = 2;

/** Returns a client of knex that connects to the host that the process uses. */
export function multiHostClient(
  Client: typeof BaseClient,
  hosts: DatabaseHosts,
  optionsOf: (url: string) => Knex.StaticConnectionConfig,
): typeof BaseClient {
  return class MultiHostClient extends Client {
    override readonly hosts = hosts;
    readonly #release = hosts.use();

    override async acquireRawConnection(): Promise<DriverConnection> {
      for (let tries = 1; ; tries++) {
        const url = hosts.current;
        this.connectionSettings = optionsOf(url);
        try {
          const connection = await super.acquireRawConnection();
          if (hosts.hold(url, connection)) return connection;
        } catch (error) {
          await hosts.check();
          if (tries === TRIES || hosts.current === url) throw error;
        }
      }
    }

    override async destroy(): Promise<void> {
      this.#release();
      await super.destroy();
    }
  };
}
