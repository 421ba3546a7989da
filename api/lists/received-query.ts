import { isoTime } from '../endpoint/parameters.js';

const time = isoTime.transform((text) => new Date(text)).optional();
const timeDoc = (description: string) => ({ description, override: { type: 'string', format: 'date-time' } });

/** The query parameters that narrow a list to a time of arrival. */
export const receivedQuery = {
  from: time.meta(timeDoc('Received at this time or later')),
  to: time.meta(timeDoc('Received before this time')),
};
