import type Router from '@koa/router';
import { gone } from '../../http/errors.js';

const SUCCESSOR = '/v2/developers/identities';
const PREFIXES = ['', '/v2', '/developers', '/v2/developers'];
const RETIRED = PREFIXES.flatMap((prefix) => [`${prefix}/cloud-ids`, `${prefix}/cloud-ids/upload`]);

/**
 * Responds with 410 to every method at the paths of an earlier API, and links to the path that replaces them. Old clients
 * used it with and without the version, and with and without `/developers`, so all four forms respond.
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
