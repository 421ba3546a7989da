/**
 * Returns a CEL expression for ` (db-3:9100, /var)`: the values of the labels that distinguish an item from the other alerts of its
 * group, or an empty text. `others` are the labels that say something else, such as the severity. `also` is a condition on a label
 * `name`. A single alert without common labels comes from a program that imitates Alertmanager: its labels distinguish nothing. A text
 * with the names costs less than a list of them, which would be built again for each label.
 */
export const difference = (others: readonly string[], also = 'true'): string =>
  `[has(webhook.commonLabels) || has(webhook.alerts[1].labels) ? item.labels.map(name, !" ${others.join(' ')} ".contains(" " + name + " ") && ${also} && !(has(webhook.groupLabels) && name in webhook.groupLabels), item.labels[name]).join(", ") : ""].filter(text, text != "").map(text, " (" + text + ")").join("")`;
