import { describe, expect, test } from '@jest/globals';
import { findSource } from '../../../../workers/mapping/catalogue/index.js';
import type { CatalogueSource } from '../../../../workers/mapping/catalogue/source.js';
import { run } from '../mapping.js';

type Labels = Record<string, string>;

/** Returns the labels that all alerts have in common, as Alertmanager and Grafana send them. */
const commonOf = (all: readonly Labels[]): Labels =>
  Object.fromEntries(
    Object.entries(all[0] ?? {}).filter(([name, value]) => all.every((labels) => labels[name] === value)),
  );

function titlesOf(source: string, all: readonly Labels[], more: object = {}): (string | null)[] {
  const { mapping } = findSource(source) as CatalogueSource;
  const common = commonOf(all);
  const groupLabels = { alertname: common.alertname };
  const alerts = all.map((labels, at) => ({ status: 'firing', labels, fingerprint: `f${at}` }));
  const normalized = run(mapping, { status: 'firing', commonLabels: common, groupLabels, ...more, alerts });
  expect(normalized.alerts.flatMap(({ faults }) => faults)).toEqual([]);
  return normalized.alerts.map(({ fields }) => fields.title.value);
}

const NAMES = [
  ...[
    'severity',
    'service',
    'job',
    'environment',
    'env',
    'team',
    'prometheus',
    'prometheus_replica',
    'replica',
  ],
  ...['monitor', 'endpoint', 'uid', 'k8s_app', 'app_kubernetes_io_name', 'grafana_folder', 'datasource_uid'],
  ...['ref_id', '__alert_rule_uid__', 'rulename', 'instance', 'mountpoint'],
];

describe.each(['alertmanager', 'grafana'])('%s', (source) => {
  test.each(NAMES)('alerts that differ only in %s have different titles', (name) => {
    const base = { alertname: 'J', host: 'h', region: 'eu' };
    const [one, other, without] = titlesOf(source, [
      { ...base, [name]: 'a' },
      { ...base, [name]: 'b' },
      base,
    ]);
    expect(new Set([one, other, without]).size).toBe(3);
    expect([one, other]).toEqual([expect.stringMatching(/\ba\)$/), expect.stringMatching(/\bb\)$/)]);
  });

  test('labels that say something else stay out if all alerts share them', () => {
    const base = { alertname: 'J', job: 'node', severity: 'page' };
    const alerts = [
      { ...base, host: 'h1' },
      { ...base, host: 'h2', job: 'app' },
    ];
    expect(titlesOf(source, alerts)).toEqual(['J (h1, job=node)', 'J (h2, job=app)']);
    expect(titlesOf(source, alerts.slice(1))).toEqual(['J (h2)']);
  });

  test('empty labels leave no words behind', () => {
    const alerts = [
      { alertname: 'J', ns: 'pay', pod: '', job: '' },
      { alertname: 'J', ns: 'pay', pod: 'p', job: '' },
    ];
    expect(titlesOf(source, alerts)).toEqual(['J (pay)', 'J (pay, p)']);
  });

  test.each([2, 7, 60])('%d alerts with any labels have different titles', (count) => {
    for (let seed = 1; seed <= 20; seed++) {
      let state = seed * 7919;
      const next = (below: number): number => {
        state = (state * 1103515245 + 12345) % 2147483648;
        return Math.floor(state / 65536) % below;
      };
      const names = [...NAMES].sort(() => next(3) - 1).slice(0, 2 + next(6));
      const sets = Array.from({ length: count }, () =>
        Object.fromEntries(
          [...names]
            .sort()
            .flatMap((name) => (next(4) === 0 ? [] : [[name, `${name}-${next(count > 9 ? 20 : 2)}`]])),
        ),
      );
      const distinct = [...new Map(sets.map((labels) => [JSON.stringify(labels), labels])).values()];
      const titles = titlesOf(
        source,
        distinct.map((labels) => ({ alertname: 'J', ...labels })),
      );
      expect({ seed, titles }).toEqual({ seed, titles: [...new Set(titles)] });
    }
  });

  test.each([
    [8, 40],
    [200, 13],
    [200, 15],
    [200, 60],
  ])('each of %d alerts with %d labels has a title of its own', (count, size) => {
    const labels = Object.fromEntries(Array.from({ length: size - 8 }, (_, at) => [`label_${at}`, 'value']));
    const more = (at: number) => ({ service: `s-${at}`, endpoint: `x-${at}`, replica: `r-${at}` });
    const alerts = Array.from({ length: count }, (_, at) => {
      return {
        alertname: 'J',
        job: `job-${at}`,
        severity: `s-${at % 2}`,
        team: `t-${at}`,
        env: `e-${at}`,
        ...more(at),
        ...labels,
      };
    });
    expect(new Set(titlesOf(source, alerts)).size).toBe(count);
  });

  test('long values are cut so that what differs remains', () => {
    const long = 'node.'.repeat(60);
    const hosts = ['1', '2', '3'].flatMap((n) => [`${n}${long}`, `${long}${n}${long}`, `${long}${n}`]);
    const titles = titlesOf(
      source,
      hosts.map((instance) => ({ alertname: 'J', job: 'node', instance })),
    );
    expect(new Set(titles).size).toBe(hosts.length);
    for (const title of titles) expect(title?.length).toBeLessThanOrEqual(255);
  });

  test('a program that sends no common labels has different titles too', () => {
    const alerts = ['a', 'b', 'c'].map((job) => ({ alertname: 'J', host: 'h', team: 't', job }));
    const titles = titlesOf(source, alerts, { commonLabels: undefined, groupLabels: undefined });
    expect(titles).toEqual(['J (h, job=a)', 'J (h, job=b)', 'J (h, job=c)']);
  });
});
