import { expect, test } from '@jest/globals';
import { stringify } from 'yaml';
import { valuesOf } from '../../../../scripts/muster/check/alert-values.js';
import { catalogue, resolvingSample } from '../../../../workers/mapping/catalogue/index.js';
import { muster } from '../../../support/muster/command.js';
import { folderOf } from '../../../support/muster/folder.js';
import { run } from '../../mapping/mapping.js';

test('each template of the catalogue is a file whose samples become the alerts that Muster makes', async () => {
  const files = catalogue.flatMap((source): [string, string][] => {
    const { name, title, mapping } = source;
    const samples = [
      { name: 'problem', payload: source.sample },
      ...(source.recovery === undefined ? [] : [{ name: 'recovery', payload: resolvingSample(source) }]),
      ...(source.otherSamples ?? []).map((payload, index) => ({ name: `other ${index}`, payload })),
    ].map((sample) => ({
      ...sample,
      alerts: run(mapping, sample.payload).alerts.map(valuesOf).map(written),
    }));
    return [
      [`integrations/${name}.yaml`, stringify({ name: title, mapping })],
      [`integrations/${name}.samples.yaml`, stringify(samples, { aliasDuplicateObjects: false })],
    ];
  });
  const { code, out } = await muster('check', folderOf(Object.fromEntries(files)), '--json');
  const { ok, findings, samples, integrations } = JSON.parse(out);
  expect(findings.filter(({ level }: { level: string }) => level === 'error')).toEqual([]);
  expect({ code, ok, integrations }).toEqual({ code: 0, ok: true, integrations: catalogue.length });
  expect(samples.length).toBeGreaterThan(catalogue.length * 1.5);
});

function written(values: ReadonlyMap<string, string>): Record<string, unknown> {
  const custom = [...values].filter(([name]) => name.startsWith('custom.'));
  const own = [...values].filter(([name]) => !name.startsWith('custom.'));
  return {
    ...Object.fromEntries(own),
    ...(custom.length > 0
      ? { custom: Object.fromEntries(custom.map(([name, value]) => [name.replace('custom.', ''), value])) }
      : {}),
  };
}
