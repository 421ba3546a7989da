/**
 * What a sender's own template language would have filled in, and did not: `$EVENT_TITLE` (Datadog), `$HOSTNAME$`
 * (Nagios, Checkmk), `${…}` (AppDynamics, SolarWinds), `{EVENT.NAME}` (Zabbix), `##HOST##` (LogicMonitor), `{{…}}`.
 */
const MACRO =
  /\$\{[^{}\s][^{}]{0,100}\}|\$[A-Z][A-Z0-9_]{2,60}\b\$?|\{[$#]?[A-Z][A-Z0-9_.:]{2,60}\}|##[A-Z][A-Z0-9_.]{2,60}##|\{\{[^{}]{1,100}\}\}/;

/** Enough of a text to find one in. */
const LOOKED_AT = 2_048;

/** The first macro in a text that its sender forgot to expand. */
export function findMacro(text: string): string | null {
  if (!/[$#{]/.test(text)) return null;
  return MACRO.exec(text.slice(0, LOOKED_AT))?.[0] ?? null;
}
