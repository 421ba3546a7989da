import { z } from 'zod';
import { findDestination, updateDestination } from '../../../db/outbox/destinations.js';
import { RESUMES } from '../../../db/outbox/lanes.js';
import { resumeLane } from '../../../db/outbox/told-messages.js';
import { changed } from '../../audit/changed.js';
import { readJson } from '../../body/read-body.js';
import { failures } from '../../endpoint/error-responses.js';
import { defineRoute, ID_PARAMS, NO_QUERY } from '../../endpoint/route.js';
import { notFound } from '../../http/errors.js';
import { changeOnce } from '../../idempotency/change-once.js';
import { oneDestination } from './manage.js';
import { presentDestination } from './present.js';
import { recordedChange } from './recorded.js';

const bodySchema = z.strictObject({
  deliver: z
    .enum(['all', ...RESUMES])
    .default('all')
    .meta({
      description:
        'Which of the messages that wait are sent. `all`. `latest`: the last one about each key. `firing`: of those, not the alerts that stand alone, which never fire on; the end ' +
        'of an alert is told to who was told of it, as always. `none`: not even the end of alerts that were told. The others are `superseded` or `canceled`; canceled ones can be replayed',
    }),
});

export const resumeDestination = defineRoute({
  method: 'post',
  path: '/v2/destinations/{id}/resume',
  operationId: 'resumeDestination',
  tag: 'Destination',
  summary: 'Resume a destination that is paused or was stopped, and choose what is sent of what waits',
  description: 'What changes from now on is told as ever.',
  scopes: ['destinations:write'],
  idempotent: true,
  query: NO_QUERY,
  params: ID_PARAMS,
  requestBody: { 'application/json': bodySchema },
  responses: {
    200: { description: 'The destination', body: oneDestination, headers: { ETag: 'sometimes' } },
    ...failures(400, 404, 415),
  },
  handle: async (input) => {
    const { ctx, params, principal, once, services } = input;
    const { deliver } = await readJson(ctx, bodySchema, once);
    await changeOnce(input, async (transaction) => {
      const before = await findDestination(transaction, params.id);
      const outcome = await updateDestination(transaction, params.id, () => ({ pausedAt: null }), {
        author: principal,
      });
      if (outcome === null) throw notFound('destination');
      await resumeLane(transaction, params.id, deliver);
      const data = await presentDestination(transaction, params.id, services.intake.box);
      const [settings] = await recordedChange(transaction, params.id, before);
      // What is sent of the messages that wait is chosen here only.
      const audit = changed(
        ['destination', params.id, data.name],
        { ...settings?.before },
        { ...settings?.after, deliver },
      );
      return {
        status: 200,
        headers: { ETag: `"${data.revision}"` },
        body: { status: 'success', data },
        audit,
      };
    });
  },
});
