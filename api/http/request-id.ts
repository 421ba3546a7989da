/** The request ids that are accepted from clients: they are safe in a log line, a header and a job. */
export const SAFE_REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;
