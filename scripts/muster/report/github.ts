import type { CheckResult } from '../check/check-directory.js';
import { linesOf, messageOf, summaryOf } from './text.js';

/** Returns what the check found as annotations of GitHub Actions. @param pathInRepository how a file is named there */
export function githubReport(result: CheckResult, pathInRepository: (file: string) => string): string {
  const lines = result.findings.map((finding) => {
    const { level, file, line, column, code, differences = [] } = finding;
    const properties = { file: pathInRepository(file), line, col: column, title: code };
    const shown = Object.entries(properties).map(
      ([name, value]) => `${name}=${escapeProperty(String(value))}`,
    );
    return `::${level} ${shown.join(',')}::${escapeData([messageOf(finding), ...linesOf(differences)].join('\n'))}`;
  });
  return [...lines, summaryOf(result)].map((line) => `${line}\n`).join('');
}

/** As the runner of GitHub Actions reads it. */
const escapeData = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

const escapeProperty = (text: string): string =>
  escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
