/**
 * Matches a macro that the sender's own template language should have expanded: `$EVENT_TITLE` (Datadog), `$HOSTNAME$` (Nagios,
 * Checkmk), `$result.host$` (Splunk), `${…}` (AppDynamics, SolarWinds), `{EVENT.NAME}` (Zabbix), `##HOST##` (LogicMonitor), `{{…}}`.
 */
const MACRO =
  /\$\{[^{}\s][^{}]{0,100}\}|\$[a-z]{1,20}\.[\w.]{1,60}\$|\$[A-Z][A-Z0-9_]{2,60}\b\$?|\{[$#]?[A-Z][A-Z0-9_.:]{2,60}\}|##[A-Z][A-Z0-9_.]{2,60}##|\{\{[^{}]{1,100}\}\}/;

/** Characters searched: enough of a text to find a macro. */
const MAX_SEARCHED = 2_048;

/** Returns the first macro in a text that its sender did not expand, or null. A text without `$`, `#` and `{` has none. */
export function findMacro(text: string): string | null {
  return MACRO.exec(text.slice(0, MAX_SEARCHED))?.[0] ?? null;
}
