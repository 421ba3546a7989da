/**
 * Returns a CEL expression for ` (db-3:9100, /var)`: the values of the labels that distinguish an item from the other alerts of its
 * group, or an empty text. `others` are the labels that say something else, such as the severity. `also` is a condition on a label
 * `name`. A single alert without common labels comes from a program that imitates Alertmanager: its labels distinguish nothing. A text
 * with the names costs less than a list of them, which would be built again for each label.
 */
export const difference = (others: readonly string[], also = 'true'): string =>
  `[has(webhook.commonLabels) || has(webhook.alerts[1].labels) ? item.labels.map(name, !" ${others.join(' ')} ".contains(" " + name + " ") && ${also} && !(has(webhook.groupLabels) && name in webhook.groupLabels), item.labels[name]).join(", ") : ""].filter(text, text != "").map(text, " (" + text + ")").join("")`;

/** The labels that a title begins with. */
const NAMES: readonly string[] = ['alertname', 'rulename'];
/** Comparing the labels of an alert with more of them would take the steps that its title needs. */
const MAX_COMPARED = 20;

/**
 * Returns a CEL expression for a description: the first text of `paths`, and in a line below it `severity=page, no job`, the labels that a
 * title leaves out and in which an item differs from the first alert of its group. Otherwise two of them could have the same title and
 * description. `others` and `also` are those of {@link difference}.
 */
export function describe(paths: readonly string[], others: readonly string[], also = 'true'): string {
  const text = `first(${paths.join(', ')}, "")`;
  const names = JSON.stringify(others.filter((name) => !NAMES.includes(name)));
  const value = 'first(item.labels[name], "")';
  const hidden = `(${names} + item.labels.filter(name, !(${also}) && !" ${others.join(' ')} ".contains(" " + name + " ")))`;
  const differing = `${hidden}.filter(name, ${value} != first(webhook.alerts[0].labels[name], ""))`;
  const shown = `${differing}.map(name, ${value} == "" ? "no " + name : [name, ${value}].join("=")).join(", ")`;
  const compared = `[${text}, ${shown}].filter(text, text != "").join("\\n")`;
  // An alert without labels has the text alone.
  return `first(size(item.labels) > ${MAX_COMPARED} ? ${text} : ${compared}, ${text})`;
}
