import { counted } from '../../../workers/text/quantities.js';
import { printable } from '../../text/printable.js';
import type { CheckResult } from '../check/check-directory.js';
import type { Difference, Finding } from '../finding.js';

/** Characters of a value that are shown. */
const MAX_VALUE = 500;

interface TextOptions {
  /** How a file is named. */
  shownPath: (file: string) => string;
  /** Whether the terminal shows colors. */
  colors: boolean;
}

/** Returns what the check found, for a person. */
export function textReport(result: CheckResult, { shownPath, colors }: TextOptions): string {
  const paint = (code: number, text: string) => (colors ? `\u001b[${code}m${text}\u001b[0m` : text);
  const place = ({ file, line, column }: Finding) => `${printable(shownPath(file))}:${line}:${column}`;
  const differences = (list: readonly Difference[] = [], words?: Words) =>
    linesOf(list, words).map((line) => `    ${line}`);
  const lines = result.findings.flatMap((finding) => [
    `${place(finding)}: ${finding.level === 'error' ? paint(31, 'error') : paint(33, 'warning')}: ${messageOf(finding)}`,
    ...differences(finding.differences),
  ]);
  const updates = result.updated.flatMap((finding) => [
    `${place(finding)}: ${paint(32, 'updated')}: sample ${quoted(finding.sample ?? '')}`,
    ...differences(finding.differences, UPDATED),
  ]);
  return [...lines, ...updates, summaryOf(result)].map((line) => `${line}\n`).join('');
}

/** Returns a message with the sample that it is about, on one line. */
export const messageOf = ({ message, sample }: Finding): string =>
  printable(sample === undefined ? message : `sample ${quoted(sample)}: ${message}`);

export function summaryOf({ findings, integrations, samples, unchecked, updated }: CheckResult): string {
  const errors = findings.filter(({ level }) => level === 'error').length;
  return [
    `${counted(integrations, 'integration')}, ${counted(samples.length, 'sample')}`,
    ...(unchecked > 0 ? [` (${unchecked} more not checked)`] : []),
    ...(updated.length > 0 ? [`, ${updated.length} updated`] : []),
    `: ${counted(errors, 'error')}, ${counted(findings.length - errors, 'warning')}`,
  ].join('');
}

type Words = Readonly<Record<'expected' | 'got' | 'extra' | 'missing', string>>;
const CHECKED: Words = {
  expected: 'expected',
  got: 'got     ',
  extra: 'is not expected',
  missing: 'is expected, but missing',
};
const UPDATED: Words = { expected: 'before', got: 'now   ', extra: 'is added', missing: 'is removed' };

/** Returns differences as lines. */
export const linesOf = (differences: readonly Difference[], words: Words = CHECKED): string[] =>
  differences.flatMap(({ alert, field, expected, got }) => {
    if (field === null)
      return [`alert ${alert} ${expected === null ? words.extra : words.missing}: ${shown(expected ?? got)}`];
    return [
      `alert ${alert}, ${printable(field)}:`,
      `  ${words.expected}  ${shown(expected)}`,
      `  ${words.got}  ${shown(got)}`,
    ];
  });

const shown = (value: string | null): string => (value === null ? 'nothing' : quoted(value));

function quoted(text: string): string {
  const cut = text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text;
  return printable(JSON.stringify(cut));
}
