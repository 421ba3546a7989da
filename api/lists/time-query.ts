import { isoTime } from '../endpoint/parameters.js';

const time = isoTime.transform((text) => new Date(text)).optional();
const timeDoc = (description: string) => ({ description, override: { type: 'string', format: 'date-time' } });

const timeQuery = (done: string) => ({
  from: time.meta(timeDoc(`${done} at this time or later`)),
  to: time.meta(timeDoc(`${done} before this time`)),
});

/** The query parameters that narrow a list to a time of arrival. */
export const receivedQuery = timeQuery('Received');

/** The query parameters that narrow a list to a time of creation. */
export const createdQuery = timeQuery('Created');
