import type Router from '@koa/router';
import { gone } from '../../http/errors.js';

const SUCCESSOR = '/v2/developers/identities';
const PREFIXES = ['', '/v2', '/developers', '/v2/developers'];
const RETIRED = PREFIXES.flatMap((prefix) => [`${prefix}/cloud-ids`, `${prefix}/cloud-ids/upload`]);

/**
 * Responds with 410 to every method at the paths of an earlier interface, and links to their successor. Old clients
 * reached it with and without the version, and with and without `/developers`, so all four forms get the hint.
 */
export function mountRetiredPaths(router: Router): void {
  for (const path of RETIRED) {
    router.all(path, (ctx) => {
      ctx.state.route = path;
      throw gone('replaced', `${path} was replaced by ${SUCCESSOR}.`, {
        Link: `<${SUCCESSOR}>; rel="successor-version"`,
      });
    });
  }
}
