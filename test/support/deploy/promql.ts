/** A metric that an expression reads, and the labels that it selects or groups by. */
export interface MetricUse {
  name: string;
  labels: string[];
}

const OPERATORS = new Set([
  'by',
  'without',
  'on',
  'ignoring',
  'group_left',
  'group_right',
  'and',
  'or',
  'unless',
  'bool',
  'offset',
]);

/**
 * Returns the metrics that a PromQL expression reads. Labels of `by (…)` and `on (…)` belong to each of them. It checks no
 * syntax: promtool does.
 */
export function metricsIn(expression: string): MetricUse[] {
  const text = expression.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""').replaceAll(/\[[^\]]*\]/g, '');
  const groups: string[] = [];
  const plain = text.replaceAll(/\b(?:by|on|without|ignoring) *\(([^)]*)\)/g, (_, names: string) => {
    groups.push(...names.split(',').map((name) => name.trim()));
    return '';
  });
  const uses: MetricUse[] = [];
  for (const [, name = '', selector, call] of plain.matchAll(
    /([a-zA-Z_:][a-zA-Z0-9_:]*) *(?:\{([^}]*)\}|(\())?/g,
  )) {
    if (call || OPERATORS.has(name)) continue;
    const selected = [...(selector ?? '').matchAll(/(\w+) *(?:=~|!~|!=|=)/g)].map(
      ([, label]) => label as string,
    );
    uses.push({ name, labels: [...selected, ...groups] });
  }
  return uses;
}
