import { counted } from '../../workers/text/quantities.js';
import { printable } from '../text/printable.js';
import { table } from '../text/table.js';
import type { Finding, Level } from './finding.js';

const LEVELS: readonly Level[] = ['ok', 'warning', 'failure'];

const countOf = (findings: readonly Finding[], level: Level): number =>
  findings.filter((finding) => finding.level === level).length;

/** Returns the worst level. */
export const worstLevel = (findings: readonly Finding[]): Level =>
  LEVELS.findLast((level) => countOf(findings, level) > 0) ?? 'ok';

/** Returns a line for each finding, then a summary. Texts of servers are made safe to print. */
export function asText(findings: readonly Finding[]): string {
  const lines = table(
    findings.map(({ check, level, found, advice }) => [
      level.toUpperCase().replace('OK', 'ok'),
      check,
      printable(advice ? `${found}. ${advice}` : found),
    ]),
  );
  const [fine, warnings, failures] = LEVELS.map((level) => countOf(findings, level)) as [
    number,
    number,
    number,
  ];
  const summary = `${counted(findings.length, 'check')}: ${fine} ok, ${counted(warnings, 'warning')}, ${counted(failures, 'failure')}.`;
  return `${lines.join('\n')}\n\n${summary}\n`;
}

/** Returns one JSON document. */
export const asJson = (role: string, findings: readonly Finding[]): string =>
  `${JSON.stringify({ role, level: worstLevel(findings), checks: findings }, null, 2)}\n`;
