import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import ipaddr from 'ipaddr.js';
import { parse, parseAllDocuments } from 'yaml';
import { INTAKE_PREFIX } from '../../../api/routes/events/intake.js';
import { healthz, readyzIntake } from '../../../api/routes/operations/probes.js';
import { apiSchema } from '../../../api/settings.js';
import { commonSettings } from '../../../workers/process/settings.js';

const FOLDER = 'deploy/kubernetes';

// biome-ignore lint/suspicious/noExplicitAny: the compiler checks them against the types of Kubernetes
type Manifest = any;

const manifests: Manifest[] = readdirSync(FOLDER)
  .filter((file) => file !== 'kustomization.yaml')
  .flatMap((file) => parseAllDocuments(readFileSync(join(FOLDER, file), 'utf8')))
  .map((document) => document.toJS());

const ofKind = (kind: string): Manifest[] => manifests.filter((manifest) => manifest.kind === kind);
const named = (kind: string, name: string): Manifest =>
  ofKind(kind).find(({ metadata }) => metadata.name === name);

/** Compiles the manifests as literals of their types, which also rejects unknown fields. Returns the compiler's output. */
function compile(literals: readonly Manifest[]): string {
  const cache = join('node_modules', '.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'muster-manifests-'));
  const lines = literals.map(({ apiVersion, kind, ...rest }, index) => {
    const module = JSON.stringify(`kubernetes-models/${apiVersion}/${kind}`);
    const type = `import type { I${kind} as T${index} } from ${module};`;
    return `${type}\nexport const manifest${index}: T${index} = ${JSON.stringify({ apiVersion, kind, ...rest })};`;
  });
  writeFileSync(join(folder, 'manifests.ts'), lines.join('\n'));
  const flags = ['--noEmit', '--strict', '--skipLibCheck', '--ignoreConfig', '--module', 'nodenext'];
  try {
    execFileSync('npx', [
      '--no-install',
      'tsc',
      ...flags,
      '--target',
      'es2023',
      join(folder, 'manifests.ts'),
    ]);
    return '';
  } catch (error) {
    return String((error as { stdout: Buffer }).stdout);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('every field of every manifest is one that Kubernetes knows, with a value of its type', () => {
  expect(manifests.length).toBeGreaterThan(12);
  expect(compile(manifests)).toBe('');
  const [deployment] = ofKind('Deployment');
  const { spec } = structuredClone(deployment);
  spec.template.spec.containers[0].imag = 'muster';
  spec.minReadySeconds = '3';
  const output = compile([{ ...deployment, spec }]);
  expect(output).toMatch(/"imag"' does not exist/);
  expect(output).toMatch(/'string' is not assignable to type 'number'/);
});

test('the kustomization names every file but the examples and the job', () => {
  const { resources } = parse(readFileSync(join(FOLDER, 'kustomization.yaml'), 'utf8'));
  const apart = ['kustomization.yaml', 'migrate-job.yaml', 'secret.example.yaml'];
  expect([...resources, ...apart].sort()).toEqual(readdirSync(FOLDER).sort());
});

test('every container is unprivileged and has limits, and only API and worker get SECRET_KEY', () => {
  const pods = [...ofKind('Deployment'), ...ofKind('Job')].map(({ spec }) => spec.template.spec);
  expect(pods).toHaveLength(3);
  for (const pod of pods) {
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true },
    });
    expect(pod.containers[0].securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(pod.containers[0].resources.limits.memory).toMatch(/^\d+Mi$/);
  }
  const holders = ofKind('Secret').filter(({ stringData }) => 'SECRET_KEY' in stringData);
  expect(holders.map(({ metadata }) => metadata.name)).toEqual(['muster-api', 'muster-worker']);
});

test('probes, services and budgets select pods and ports that exist', () => {
  for (const { metadata, spec } of ofKind('Deployment')) {
    const { labels } = spec.template.metadata;
    expect(spec.selector.matchLabels).toEqual(labels);
    const [container] = spec.template.spec.containers;
    const ports = container.ports.map(({ name }: { name: string }) => name);
    for (const probe of ['readinessProbe', 'livenessProbe']) {
      expect(ports).toContain(container[probe].httpGet.port);
    }
    expect(named('PodDisruptionBudget', metadata.name).spec.selector.matchLabels).toEqual(labels);
    const { spec: scaler } = named('HorizontalPodAutoscaler', metadata.name);
    expect(scaler.scaleTargetRef.name).toBe(metadata.name);
    expect(scaler.minReplicas).toBeGreaterThan(1);
  }
  const service = named('Service', 'muster-api').spec;
  expect(service.selector).toEqual(named('Deployment', 'muster-api').spec.selector.matchLabels);
});

test('pods of the API get events while the database and the workers are unavailable', () => {
  const [container] = named('Deployment', 'muster-api').spec.template.spec.containers;
  expect(container.readinessProbe.httpGet.path).toBe(readyzIntake.path);
  expect(container.livenessProbe.httpGet.path).toBe(healthz.path);
});

test('pods may take longer to end than a process takes to shut down', () => {
  const grace = (name: string): number =>
    named('Deployment', name).spec.template.spec.terminationGracePeriodSeconds;
  const [{ value }] = named('Deployment', 'muster-api').spec.template.spec.containers[0].env;
  expect(grace('muster-api')).toBeGreaterThan(Number(value) + 20);
  expect(grace('muster-worker')).toBeGreaterThan(20);
});

test('every setting is one that Muster knows', () => {
  const given = [
    ...ofKind('ConfigMap').map(({ data }) => data),
    ...ofKind('Secret').map((one) => one.stringData),
  ];
  const names = given.flatMap((settings) => Object.keys(settings)).filter((name) => !name.startsWith('AWS_'));
  const known = [...Object.keys(commonSettings), 'SECRET_KEY', 'PUBLIC_URL', 'DRAIN_S'];
  expect(names.filter((name) => !known.includes(name))).toEqual([]);
  const env = Object.assign({}, named('ConfigMap', 'muster').data, named('Secret', 'muster-api').stringData);
  const { success, error } = apiSchema.safeParse({
    ...env,
    SECRET_KEY: 'dGhpcyBpcyBhIHNlY3JldCBrZXkgb2YgdGhlIHRlc3Rz',
  });
  expect([success, error?.issues]).toEqual([true, undefined]);
});

test('of private and link-local addresses, pods reach only the database and Redis', () => {
  const reached = (address: string, port: number) =>
    ofKind('NetworkPolicy')
      .flatMap(({ spec }) => spec.egress ?? [])
      .filter(({ ports }) => ports.some((one: { port: number }) => one.port === port))
      .flatMap(({ to }) => to)
      .some(
        ({ ipBlock }) =>
          ipBlock &&
          isIn(address, ipBlock.cidr) &&
          !(ipBlock.except ?? []).some((range: string) => isIn(address, range)),
      );
  const isIn = (address: string, range: string) => ipaddr.parse(address).match(ipaddr.parseCIDR(range));
  expect([reached('10.0.3.4', 3306), reached('10.0.3.4', 6379), reached('52.219.1.1', 443)]).toEqual([
    true,
    true,
    true,
  ]);
  for (const address of [
    '10.0.3.4',
    '10.96.0.1',
    '172.20.0.1',
    '192.168.1.1',
    '100.64.0.1',
    '169.254.169.254',
    '127.0.0.1',
  ])
    expect([address, reached(address, 443)]).toEqual([address, false]);
});

test('the access log of webhook URLs is off, because the token in the URL is a secret', () => {
  const paths = ofKind('Ingress').flatMap(({ metadata, spec }) =>
    spec.rules.flatMap(({ http }: Manifest) =>
      http.paths.map(({ path }: Manifest) => [
        path,
        metadata.annotations['nginx.ingress.kubernetes.io/enable-access-log'],
      ]),
    ),
  );
  expect(paths).toEqual([
    ['/', undefined],
    [INTAKE_PREFIX, 'false'],
    ['/ping/', 'false'],
    ['/integrations/v1/', 'false'],
    ['/oncall/integrations/v1/', 'false'],
  ]);
});
