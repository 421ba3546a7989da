import { z } from 'zod';
import { greetingProof, NONCE, serverAddressAtServer } from '../../access/greeting.js';
import { errorSchema } from '../../endpoint/error-responses.js';
import { success } from '../../endpoint/responses.js';
import { defineRoute, NO_PARAMS } from '../../endpoint/route.js';
import { notFound } from '../../http/errors.js';

/**
 * Lets `npm run upload` verify that it talks to the service of its own `DATA_DIR` before it sends an API key. `npm start`
 * generates a greeting key for each run, which only this process and the owner of the folder can read.
 */
export const getGreeting = defineRoute({
  method: 'get',
  path: '/greeting',
  operationId: 'getGreeting',
  tag: 'Health',
  summary: 'Prove that this is the service of a local data directory',
  description:
    'For clients on the same machine as `npm start`. The proof is an HMAC-SHA256 of the nonce and the address that the client connected to.',
  scopes: 'public',
  query: z.strictObject({
    nonce: z.string().regex(NONCE, 'must be 32 to 128 lowercase hexadecimal digits').meta({
      description: 'A random value, used for one request only',
      example: '00112233445566778899aabbccddeeff',
    }),
  }),
  params: NO_PARAMS,
  responses: {
    200: {
      description: 'The proof',
      body: z.object({ ...success, proof: z.string().meta({ description: 'Hexadecimal' }) }),
    },
    400: { description: 'Invalid `nonce`', body: errorSchema },
    404: { description: 'This service was not started by `npm start`', body: errorSchema },
  },
  handle: async ({ ctx, query, services }) => {
    const { greetingKey } = services.settings;
    if (!greetingKey) throw notFound('greeting');
    ctx.set('Cache-Control', 'no-store');
    const proof = greetingProof(greetingKey, query.nonce, serverAddressAtServer(ctx.req.socket));
    ctx.body = { status: 'success', proof };
  },
});
