import { z } from 'zod';
import { commaList, wholeNumberText } from '../../endpoint/parameters.js';
import { integrationIdText } from './filters.js';
import { INTEGRATION_ID_DOC } from './record.js';

const MAX_MIRRORED = 1_000;

/** The account systems that an upload mirrors. */
export const mirroredIds = commaList
  .pipe(z.array(integrationIdText).max(MAX_MIRRORED))
  .optional()
  .meta({ override: { type: 'array', items: INTEGRATION_ID_DOC, minItems: 1, maxItems: MAX_MIRRORED } });

/** The options of an upload that also removes what it does not name. */
export const mirrorOptions = {
  mode: z
    .enum(['merge', 'mirror'])
    .optional()
    .meta({
      description:
        '`merge` (default): accounts that the upload does not name stay as they are. `mirror` (CSV only): the file is the ' +
        'complete truth for `integrationIds`, and accounts there that it does not name are removed. A row of another ' +
        'integration is rejected',
    }),
  integrationIds: mirroredIds.meta({
    description:
      'Required with `mode=mirror`: the account systems for which the file is complete, separated by commas',
  }),
  maxRemovals: wholeNumberText(0, 999_999_999).optional().meta({
    description:
      'Required with `mode=mirror`: a file that would remove more accounts is rejected as a whole (`too_many_removals`)',
  }),
};

interface MirrorQuery {
  mode?: 'merge' | 'mirror' | undefined;
  integrationIds?: number[] | undefined;
  maxRemovals?: number | undefined;
  integrationId?: number | undefined;
}

/** Checks that the options of a mirror are given with `mode=mirror`, and only then. */
export function checkMirror(query: MirrorQuery, context: z.RefinementCtx): void {
  const { mode, integrationIds, integrationId } = query;
  const add = (path: string, code: string, message: string) =>
    context.addIssue({ code: 'custom', path: [path], message, params: { code } });
  for (const name of ['integrationIds', 'maxRemovals'] as const) {
    if (mode === 'mirror' && query[name] === undefined) add(name, 'missing', 'is required with mode=mirror');
    if (mode !== 'mirror' && query[name] !== undefined) add(name, 'conflicting', 'requires mode=mirror');
  }
  if (integrationIds && integrationId !== undefined && !integrationIds.includes(integrationId))
    add('integrationId', 'conflicting', 'must be one of integrationIds');
}
