import { isoTime } from '../endpoint/parameters.js';

const time = isoTime.transform((text) => new Date(text)).optional();

/** A filter by a time. */
export const timeFilter = (description: string) =>
  time.meta({ description, override: { type: 'string', format: 'date-time' } });

const timeQuery = (done: string) => ({
  from: timeFilter(`${done} at this time or later`),
  to: timeFilter(`${done} before this time`),
});

/** The query parameters that narrow a list to a time of arrival. */
export const receivedQuery = timeQuery('Received');

/** The query parameters that narrow a list to a time of creation. */
export const createdQuery = timeQuery('Created');
