import { renameSync, writeFileSync } from 'node:fs';
import { type Document, isMap, isScalar, isSeq, type Scalar, type YAMLMap } from 'yaml';
import type { Folder } from '../files/folder.js';
import { KINDS } from '../files/kinds.js';
import type { SamplesFile } from '../files/read-directory.js';
import { YamlFile } from '../yaml/yaml-file.js';
import { type AlertValues, differencesOf, expectedValues } from './alert-values.js';
import type { CheckedSample } from './check-samples.js';

/**
 * Writes the alerts that Muster makes into the samples of a file. What is right stays as it is, with its comments.
 * @returns whether the file has them now. It does not if they are in anchors that other samples share
 */
export function updateSamples(
  folder: Folder,
  { path, yaml, content }: SamplesFile,
  samples: readonly CheckedSample[],
): boolean {
  const { document } = yaml;
  if (!document || !content) return false;
  const changed = samples.filter(({ got, index }) => got && !isExpected(content[index]?.alerts, got));
  if (changed.length === 0) return true;
  for (const { index, got } of changed) if (got) setAlerts(document, index, got);
  let text: string;
  try {
    text = textOf(document, yaml.text);
  } catch {
    // An alias whose anchor was removed.
    return false;
  }
  const after = KINDS.samples.schema.safeParse(new YamlFile(path, text, KINDS.samples.numbers).value);
  const isRight =
    after.success &&
    after.data.length === content.length &&
    after.data.every(({ alerts }, index) =>
      isExpected(alerts, samples[index]?.got ?? (content[index]?.alerts ?? []).map(expectedValues)),
    );
  if (isRight) replaceFile(folder.locate(path), text);
  return isRight;
}

type Alerts = NonNullable<SamplesFile['content']>[number]['alerts'];

const isExpected = (alerts: Alerts, got: readonly AlertValues[]): boolean =>
  alerts !== undefined && differencesOf(alerts.map(expectedValues), got).length === 0;

function setAlerts(document: Document, index: number, got: readonly AlertValues[]): void {
  const path = [index, 'alerts'];
  const list = document.getIn(path, true);
  if (!isSeq(list)) {
    document.setIn(path, document.createNode(got.map(toExpected)));
    return;
  }
  // `[]` would put what is added on its line.
  if (list.items.length === 0) list.flow = false;
  list.items.length = Math.min(list.items.length, got.length);
  for (const [at, values] of got.entries()) {
    const alert = list.items[at];
    if (isMap(alert)) setFields(document, alert, values);
    else list.items[at] = document.createNode(toExpected(values));
  }
  if (got.length === 0) list.flow = true;
}

function setFields(document: Document, alert: YAMLMap, values: AlertValues): void {
  const wanted = toExpected(values);
  for (const name of Object.keys(alert.toJS(document))) if (!Object.hasOwn(wanted, name)) alert.delete(name);
  for (const [name, value] of Object.entries(wanted)) {
    const node = alert.get(name, true);
    if (typeof value !== 'string' && isMap(node)) setFields(document, node, new Map(Object.entries(value)));
    else if (!isScalar(node) || textOfScalar(node) !== value) alert.set(name, document.createNode(value));
  }
}

/** A number that was written without quotes is the text that was written. */
const textOfScalar = ({ value, source }: Scalar): string =>
  typeof value === 'string' ? value : (source ?? String(value));

/** Returns an alert as a file has it. */
function toExpected(values: AlertValues): Record<string, string | Record<string, string>> {
  const custom: Record<string, string> = {};
  const fields: Record<string, string | Record<string, string>> = {};
  for (const [name, value] of values)
    if (name.startsWith('custom.')) custom[name.slice('custom.'.length)] = value;
    else fields[name] = value;
  if (Object.keys(custom).length > 0) fields.custom = custom;
  return fields;
}

/** Returns a document as text, in the style of the text that it was read from. */
function textOf(document: Document, before: string): string {
  const text = document.toString({
    lineWidth: 0,
    indentSeq: !/^([ ]*)[^\s#-][^\n]*:[ ]*\r?\n\1- /m.test(before),
    flowCollectionPadding: !/[{[]\S/.test(before) || /\{ /.test(before),
  });
  return before.includes('\r\n') ? text.replace(/\n/g, '\r\n') : text;
}

/** A file is whole, whenever the power fails. */
function replaceFile(path: string, text: string): void {
  const fresh = `${path}.new`;
  writeFileSync(fresh, text);
  renameSync(fresh, path);
}
