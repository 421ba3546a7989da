import { spawnSync } from 'node:child_process';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { curlCommand, shellQuote } from '../../../api/console/integrations/test/event/curl-command.js';

/** Runs a command in a shell where `curl` prints its arguments and its input, each terminated by a NUL. */
function runBy(shell: string, command: string): string[] {
  const standIn =
    'curl() { for a in "$@"; do printf "%s\\0" "$a"; done; case "$*" in *" --data-binary @-") cat;; esac; }\n';
  const { stdout, status, stderr } = spawnSync(shell, ['-s'], { input: standIn + command, encoding: 'utf8' });
  if (status !== 0 && stderr) throw new Error(stderr);
  return stdout.split('\0').slice(0, stdout.endsWith('\0') ? -1 : undefined);
}

const AWKWARD = `it's "$HOME" \`id\` $(id) \\ !! %s \n\t* ~ 'end'`;

const FLAGS = ['-sS', '--fail-with-body', '-m', '10', '--retry', '5', '--retry-connrefused'];

test('a command whose signature has a delivery id needs no Idempotency-Key', () => {
  expect(curlCommand('https://example.com/x', { 'webhook-id': 'msg_1' }, '{}')).not.toContain(
    'idempotency-key',
  );
});

describe.each(['bash', 'sh'])('the command in %s', (shell) => {
  test('passes any text unchanged', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 60 }).map((given) => given.replaceAll('\0', ''));
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 20 }), (texts) => {
        const command = texts.map((one) => `printf '%s\\0' ${shellQuote(one)}`).join('\n');
        const { stdout } = spawnSync(shell, ['-s'], { input: command, encoding: 'utf8' });
        expect(stdout.split('\0').slice(0, -1)).toEqual(texts);
      }),
      { numRuns: 40 },
    );
  });

  test('has the URL, one option per header, and the exact body', () => {
    const command = curlCommand('https://example.com/x', { 'content-type': 'application/json' }, AWKWARD);
    expect(runBy(shell, command)).toEqual([
      ...FLAGS,
      'https://example.com/x',
      '-H',
      'content-type: application/json',
      '-H',
      expect.stringMatching(/^idempotency-key: test-\d+-\d+$/),
      '--data-raw',
      AWKWARD,
    ]);
  });

  test('pipes a body that is too long for an argument', () => {
    const body = `"${AWKWARD}${'x'.repeat(300_000)}"`;
    const command = curlCommand('https://example.com/x', { 'content-type': 'application/json' }, body);
    expect(runBy(shell, command).slice(-3)).toEqual(['--data-binary', '@-', body]);
  });
});
