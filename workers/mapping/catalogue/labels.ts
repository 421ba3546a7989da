const FIRST = 'webhook.alerts[0].labels';
const HAS_OTHERS = 'size(webhook.alerts) > 1';

/** Conditions on the name `n` of a label. */
interface Labels {
  /** Names of labels that say something else than which problem it is, such as the severity. */
  others: readonly string[];
  /** Whether it is another one of these. */
  isOther: string;
  /** Whether its value is in the text before the brackets. */
  isNamed: string;
}

/** Titles with all labels that distinguish an alert would take the steps of an event with more labels, or with more of a few alerts. */
const [MAX_LABELS, MAX_LABELS_OF_FEW] = [13, 40];
/** Of more alerts, the common labels alone tell which ones differ. People who write a payload by hand leave some out. */
const FEW = 10;

/**
 * Returns a CEL expression for a title such as `DiskFull (db-3:9100, job=node)`: the text of `start`, and the values of the labels that
 * distinguish an item. Other labels are added, with their names, if not all alerts of the group have them in common. A label that the first
 * alert lacks has its name too, because another one may have the same value. Of many labels, only those that differ are shown. A single alert
 * without common labels comes from a program that imitates Alertmanager: its labels distinguish nothing.
 */
export function titleOf(start: string, { others, isOther, isNamed }: Labels): string {
  // A text with the names costs less than a list of them, which would be built again for each label.
  const isLess = `(" alertname ${others.join(' ')} ".contains(" " + n + " ") || ${isOther})`;
  const isFilled = 'first(item.labels[n], "") != ""';
  const isShown = `!${isLess} && ${isFilled} && !(has(webhook.groupLabels) && n in webhook.groupLabels)`;
  const shown = `has(webhook.commonLabels) || ${HAS_OTHERS} ? item.labels.map(n, ${isShown}, n in ${FIRST} ? item.labels[n] : n + "=" + item.labels[n]) : []`;
  const isUncommon = `${isFilled} && !(has(webhook.commonLabels) && n in webhook.commonLabels)`;
  const isMany = `size(webhook.alerts) > ${FEW}`;
  const differs = `(${isMany} || webhook.alerts.exists(a, first(a.labels[n], "") != item.labels[n]))`;
  const named = `filter(n, !(${isNamed})).map(n, n + "=" + item.labels[n])`;
  const added = `${HAS_OTHERS} ? item.labels.filter(n, ${isLess} && ${isUncommon}).filter(n, ${differs}).${named} : []`;
  const texts = `${HAS_OTHERS} && size(item.labels) > (${isMany} ? ${MAX_LABELS} : ${MAX_LABELS_OF_FEW}) ? item.labels.filter(n, ${isUncommon}).${named} : (${shown}) + (${added})`;
  return `${start} + [(${texts}).join(", ")].filter(t, t != "").map(t, " (" + t + ")").join("")`;
}
