import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { describeEngine } from '../support/engines/describe-engine.js';

const units = readdirSync('deploy/systemd');

function analyze(...args: string[]): { code: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync('systemd-analyze', args, { encoding: 'utf8' });
  return { code: status, output: `${stdout}${stderr}` };
}

const reason = analyze('--version').code === 0 ? null : 'systemd-analyze is not installed';

describeEngine('systemd', reason, () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'muster-units-'));
    for (const unit of units) {
      const text = readFileSync(join('deploy/systemd', unit), 'utf8');
      // systemd checks that the programs exist.
      const here = text
        .replaceAll('/usr/bin/node', process.execPath)
        .replaceAll('/opt/muster', process.cwd());
      writeFileSync(join(folder, unit), here);
    }
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test('accepts the units', () => {
    const paths = units.map((unit) => join(folder, unit.replace('@.', '@9465.')));
    expect(analyze('verify', ...paths)).toEqual({ code: 0, output: '' });
  });

  test('finds little that a service could do to its host', () => {
    for (const unit of units) {
      const { code, output } = analyze('security', '--offline=yes', '--threshold=15', join(folder, unit));
      expect([unit, code, output.match(/exposure level.*/)?.[0]]).toEqual([
        unit,
        0,
        expect.stringContaining('OK'),
      ]);
    }
  });
});
