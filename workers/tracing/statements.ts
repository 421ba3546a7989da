import type { StatementObserver } from '../../db/client/observe-statements.js';
import { failSpan, isRecording, startSpan } from './spans.js';

/** How much of a statement is read. Its table is named before its values. */
const READ = 300;
const OPERATIONS = new Set([
  'SELECT',
  'INSERT',
  'UPDATE',
  'DELETE',
  'REPLACE',
  'BEGIN',
  'COMMIT',
  'ROLLBACK',
  'SET',
  'LOAD',
  'WITH',
]);
const OPERATION = /^\s*(?:\/\*.{0,100}?\*\/\s*)?([A-Za-z]{1,20})\b/;

/**
 * Makes a span of each statement of a traced request or job: its operation and its table, and nothing else of the text, which
 * may contain values.
 * @param tables the tables that may be named
 */
export const statementSpans =
  (tables: readonly string[]): StatementObserver =>
  (sql) => {
    if (!isRecording()) return null;
    const { operation, table } = describeStatement(sql, tables);
    const span = startSpan(table ? `${operation} ${table}` : operation, {
      kind: 'CLIENT',
      attributes: {
        'db.system.name': 'mysql',
        'db.operation.name': operation,
        ...(table ? { 'db.collection.name': table } : {}),
      },
    });
    return (error) => {
      if (error) failSpan(span, error);
      span?.end();
    };
  };

/** Returns the operation of a statement, and the first of the tables that follows FROM, INTO, UPDATE or TABLE. */
export function describeStatement(
  sql: string,
  tables: readonly string[],
): { operation: string; table: string | undefined } {
  const start = sql.slice(0, READ);
  const words = start.split(/[\s`(),;.]+/);
  const table = words.find(
    (word, at) => /^(?:from|into|update|table)$/i.test(words[at - 1] ?? '') && tables.includes(word),
  );
  const operation = OPERATION.exec(start)?.[1]?.toUpperCase() ?? '';
  return { operation: OPERATIONS.has(operation) ? operation : 'SQL', table };
}
