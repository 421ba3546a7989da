/**
 * Matches a macro that the sender's own template language should have expanded: `$EVENT_TITLE` (Datadog), `$HOSTNAME$` (Nagios,
 * Checkmk), `$result.host$` (Splunk), `${…}` (AppDynamics, SolarWinds), `{EVENT.NAME}` (Zabbix), `##HOST##` (LogicMonitor), `{{…}}`.
 */
const MACRO =
  /\$\{[^{}\s][^{}]{0,100}\}|\$[a-z]{1,20}\.[\w.]{1,60}\$|\$(?!LATEST\b)[A-Z][A-Z0-9_]{2,60}\b\$?|\{[$#]?[A-Z][A-Z0-9_.:]{2,60}\}|##[A-Z][A-Z0-9_.]{2,60}##|\{\{[^{}]{1,100}\}\}/;

/**
 * Matches a text that is nothing but a macro. Within other words, some of these may be meant: `$(date)` in a command. A name without a
 * closing mark is not a macro, because it is a value of some senders: `$default`, `%iowait`.
 */
const WHOLE = new RegExp(
  `^(?:${[
    MACRO.source,
    // Ruby, Logstash, Puppet, PowerShell: `#{host}`, `%{host}`, `@{host}`; `${N=…}` and `${{ … }}` too.
    '\\$?[$#%@!]\\{.{0,200}\\}',
    // Shells, make, Python: `$(host)`, `%(host)s`.
    '[$%]\\([\\w .:-]{1,100}\\)[sdifr]?',
    // Windows and Icinga, Nagios, ColdFusion, Ant: `%HOST%`, `$host.name$`, `##host##`, `@host@`.
    '(%{1,2}|\\$+|#{1,2}|@{1,2})[A-Za-z_][\\w.:-]{0,60}\\1',
    // ERB, PHP, Jinja, Template Toolkit, Liquid: `<%= host %>`, `<?= $host ?>`, `{% host %}`, `[% host %]`, `[[host]]`, `{{ host }}`.
    '<%.{1,200}%>|<\\?.{1,200}\\?>|\\{%.{1,200}%\\}|\\[%.{1,200}%\\]|\\[\\[[^[\\]]{1,200}\\]\\]|\\{\\{.{1,200}\\}',
    // Zabbix, Python, .NET, Smarty: `{HOST.NAME}`, `{host}`, `{0}`, `{$host}`. A GUID in braces has hyphens, and an event
    // of Freshservice a colon: `{ticket_action:created}`.
    '\\{ ?[$#?@!]?(?:[A-Z_][A-Z0-9_.:]{0,100}|[A-Za-z_][\\w.]{0,100}|\\d) ?\\}',
    // UptimeRobot: `*monitorFriendlyName*`. Other words between stars are bold.
    '\\*[a-z]+(?:[A-Z][A-Za-z]*)+\\*',
    // Velocity, JSONPath, printf.
    '\\$!\\{?[a-z][\\w.]{0,60}\\}?|\\$\\.[\\w.[\\]*-]{1,100}|%[sdifvq]',
  ].join('|')})$`,
  's',
);

const STARTS_MACRO = /^[$#%@!{<[*]/;
const MAX_WHOLE = 210;

/** Returns whether a text is a macro that its sender did not expand, and nothing else. */
export function isMacro(text: string): boolean {
  const word = text.length <= MAX_WHOLE ? text.trim() : '';
  return STARTS_MACRO.test(word) && WHOLE.test(word);
}

/** Characters searched: enough of a text to find a macro. */
const MAX_SEARCHED = 2_048;

/** Returns the first macro in a text that its sender did not expand, or null. A text without `$`, `#` and `{` has none. */
export function findMacro(text: string): string | null {
  return MACRO.exec(text.slice(0, MAX_SEARCHED))?.[0] ?? null;
}
