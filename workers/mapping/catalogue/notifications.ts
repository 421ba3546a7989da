/**
 * Returns a CEL expression for the status of a notification of Nagios, Icinga or Checkmk. `type` is what the notification is about, and
 * `state` the state of the service or host: CEL expressions of texts. An acknowledgement, a downtime and the like change neither a
 * problem nor its absence, so the state decides where nothing is wrong. The end of a downtime or of flapping is news of the state
 * itself: meanwhile, no notification named it.
 */
export const notificationStatus = (type: string, state: string): string =>
  `${type}.matches("(?i)^(ACKNOWLEDGEMENT|CUSTOM|ALERTHANDLER|(DOWNTIME|FLAPPING)START)") && !((${state}).upperAscii() in ["OK", "UP"]) ? "update" : (${state})`;
