import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { expressionsOf } from '../support/deploy/dashboard.js';
import { describeEngine, unpackedEngine } from '../support/engines/describe-engine.js';

const folder = unpackedEngine('prometheus');

/** Runs promtool. @throws Error with its output if it reports anything */
const promtool = (...args: string[]): string =>
  execFileSync(join(folder as string, 'usr/bin/promtool'), args, { encoding: 'utf8' });

describeEngine('Prometheus', folder ? null : 'Prometheus could not be downloaded', () => {
  test('accepts the configuration and the alert rules', () => {
    expect(promtool('check', 'config', 'deploy/prometheus/prometheus.yml')).toContain('SUCCESS');
    expect(promtool('check', 'rules', 'deploy/prometheus/alerts.yml')).toContain('SUCCESS');
  });

  test('alerts fire when they should', () => {
    expect(promtool('test', 'rules', 'deploy/prometheus/alerts.test.yml')).toContain('SUCCESS');
  });

  test('can compute each expression of the dashboard', () => {
    const scratch = mkdtempSync(join(tmpdir(), 'muster-promql-'));
    const expressions = expressionsOf(JSON.parse(readFileSync('deploy/grafana/muster.json', 'utf8')));
    const rules = expressions.map((expr, index) => ({ record: `panel:${index}`, expr }));
    // JSON is YAML.
    writeFileSync(join(scratch, 'rules.yml'), JSON.stringify({ groups: [{ name: 'panels', rules }] }));
    expect(promtool('check', 'rules', join(scratch, 'rules.yml'))).toContain(`${rules.length} rules found`);
    rmSync(scratch, { recursive: true });
  });
});
