import type { CheckResult } from '../check/check-directory.js';
import type { Finding } from '../finding.js';
import { linesOf, messageOf } from './text.js';

interface Case {
  file: string;
  name: string;
  findings: readonly Finding[];
}

/** Returns what the check found as JUnit XML: a suite for each file, with a case for each sample and one for what is not about a sample. */
export function junitReport({ findings, samples }: CheckResult): string {
  const ofSamples: Case[] = samples.map(({ file, name }) => ({
    file,
    name,
    findings: findings.filter((finding) => finding.file === file && finding.sample === name),
  }));
  const known = new Set(ofSamples.flatMap((one) => one.findings));
  const rest = findings.filter((finding) => !known.has(finding));
  const ofFiles = [...new Set(rest.map(({ file }) => file))].map(
    (file): Case => ({
      file,
      name: file,
      findings: rest.filter((finding) => finding.file === file),
    }),
  );
  const cases = [...ofSamples, ...ofFiles];
  const failed = (list: readonly Case[]) => list.filter((one) => one.findings.some(failsAt)).length;
  const suites = [...new Set(cases.map(({ file }) => file))].map((file) => {
    const own = cases.filter((one) => one.file === file);
    return [
      `  <testsuite name="${escapeXml(file)}" tests="${own.length}" failures="${failed(own)}">`,
      ...own.flatMap((one) => caseLines(one)),
      '  </testsuite>',
    ];
  });
  const head = `<testsuites name="muster check" tests="${cases.length}" failures="${failed(cases)}">`;
  return ['<?xml version="1.0" encoding="UTF-8"?>', head, ...suites.flat(), '</testsuites>', ''].join('\n');
}

function caseLines({ file, name, findings }: Case): string[] {
  const text = (list: readonly Finding[]) =>
    list
      .flatMap((finding) => [
        `${finding.file}:${finding.line}:${finding.column}: ${messageOf(finding)}`,
        ...linesOf(finding.differences ?? []),
      ])
      .join('\n');
  const failures = findings.filter(failsAt);
  const others = findings.filter((finding) => !failsAt(finding));
  const [first] = failures;
  return [
    `    <testcase classname="${escapeXml(file)}" name="${escapeXml(name)}">`,
    ...(first
      ? [`      <failure message="${escapeXml(first.message)}">${escapeXml(text(failures))}</failure>`]
      : []),
    ...(others.length > 0 ? [`      <system-out>${escapeXml(text(others))}</system-out>`] : []),
    '    </testcase>',
  ];
}

const failsAt = ({ level }: Finding): boolean => level === 'error';

/** Leaves out what XML 1.0 cannot contain. */
const escapeXml = (text: string): string =>
  text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\n', '&#10;');
