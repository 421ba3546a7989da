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

/** Telling apart by more labels would take the steps that the titles of an event have. */
const MAX_LABELS = 15;
/** Of more alerts, the common labels alone tell which ones differ. People who write a payload by hand leave some out. */
const MAX_ALERTS = 10;

/**
 * Returns a CEL expression for a title such as `DiskFull (db-3:9100, job=node)`: the text of `start`, and the values of the labels that
 * distinguish an item. Other labels are added, with their names, if not all alerts of the group have them in common. A label that the first
 * alert lacks has its name too, because another one may have the same value. Of many labels, only those that differ are shown. A single alert
 * without common labels comes from a program that imitates Alertmanager: its labels distinguish nothing.
 */
export function titleOf(start: string, { others, isOther, isNamed }: Labels): string {
  // A text with the names costs less than a list of them, which would be built again for each label.
  const isLess = `(" ${others.join(' ')} ".contains(" " + n + " ") || ${isOther})`;
  const isFilled = `!(${isNamed}) && first(item.labels[n], "") != ""`;
  const isShown = `!${isLess} && ${isFilled} && !(has(webhook.groupLabels) && n in webhook.groupLabels)`;
  const shown = `has(webhook.commonLabels) || ${HAS_OTHERS} ? item.labels.map(n, ${isShown}, n in ${FIRST} ? item.labels[n] : n + "=" + item.labels[n]) : []`;
  const isUncommon = `${isFilled} && !(has(webhook.commonLabels) && n in webhook.commonLabels)`;
  const differs = `(size(webhook.alerts) > ${MAX_ALERTS} || webhook.alerts.exists(a, first(a.labels[n], "") != item.labels[n]))`;
  const named = (condition: string): string => `item.labels.map(n, ${condition}, n + "=" + item.labels[n])`;
  const added = `${HAS_OTHERS} ? ${named(`${isLess} && ${isUncommon} && ${differs}`)} : []`;
  const texts = `${HAS_OTHERS} && size(item.labels) > ${MAX_LABELS} ? ${named(isUncommon)} : (${shown}) + (${added})`;
  return `${start} + [(${texts}).join(", ")].filter(t, t != "").map(t, " (" + t + ")").join("")`;
}
