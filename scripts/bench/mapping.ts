import Mustache from 'mustache';
import {
  type CompiledMapping,
  compileMapping,
  normalize,
  normalizeValue,
  parsePayload,
} from '../../workers/mapping/index.js';
import { type Benchmark, median } from './benchmark.js';

const PAYLOAD = {
  alert: { name: 'High CPU usage', severity: 'high', message: 'CPU usage above 90% for 5 minutes' },
  metadata: { service: 'payments', host: 'web-7', environment: 'production', team: 'platform' },
  source: 'prometheus',
  state: 'alerting',
};

const TEMPLATES = {
  title: '{{webhook.alert.name}}',
  severity: '{{webhook.alert.severity}}',
  description: '{{webhook.alert.message}} on {{webhook.metadata.host}}',
  source: '{{webhook.source}}',
  service: '{{webhook.metadata.service}}',
  environment: '{{webhook.metadata.environment}}',
  team: '{{webhook.metadata.team}}',
};

/** Takes the place of two of the templates. */
const EXPRESSIONS = {
  severity: 'webhook.alert.severity == "high" || webhook.alert.severity == "critical" ? "critical" : "info"',
  service: 'has(webhook.metadata.service) ? webhook.metadata.service.lowerAscii() : "none"',
};

/** The two fields that decide which events are one alert. */
const LIFECYCLE = {
  dedupKey: { template: '{{webhook.metadata.host}}/{{webhook.alert.name}}' },
  status: { template: '{{webhook.state}}' },
};

/**
 * Measures alerts of seven fields per second, with results, value map and checks. Floor: `Mustache.render` of the same templates
 * with its cache of parsed templates. Both start from a parsed payload.
 */
export const mapping: Benchmark = async ({ rows, runs, say }) => {
  const compiled = compileTemplates();
  const view = { webhook: PAYLOAD };
  const renderPlain = () => Object.values(TEMPLATES).map((template) => Mustache.render(template, view));
  const renderOurs = () => normalizeValue(compiled, PAYLOAD);
  const bytes = Buffer.from(JSON.stringify(PAYLOAD));
  const floors: number[] = [];
  const ours: number[] = [];
  // The first round only warms up.
  for (let run = 0; run <= runs; run++) {
    const [floor, own] = [perSecond(rows, renderPlain), perSecond(rows, renderOurs)];
    say(`mustache.js ${thousands(floor)}, ours ${thousands(own)}${run === 0 ? ' (to warm up)' : ''}`);
    if (run > 0) floors.push(floor);
    if (run > 0) ours.push(own);
  }
  say(`ours from bytes ${thousands(perSecond(rows, () => normalize(compiled, bytes)))}`);
  const computed = compileFields(withExpressions());
  perSecond(rows / 10, () => normalizeValue(computed, PAYLOAD));
  say(`ours with 2 expressions ${thousands(perSecond(rows, () => normalizeValue(computed, PAYLOAD)))}`);
  const keyed = compileFields({ ...templates(), ...LIFECYCLE });
  perSecond(rows / 10, () => normalizeValue(keyed, PAYLOAD));
  say(`ours with a key and a status ${thousands(perSecond(rows, () => normalizeValue(keyed, PAYLOAD)))}`);
  say(`only parsing them ${thousands(perSecond(rows, () => parsePayload(bytes)))}`);
  const [own, floor] = [median(ours), median(floors)];
  return { name: 'mapping', ratio: own / floor, ours: own, floor, unit: 'alerts/s' };
};

function compileTemplates(): CompiledMapping {
  const values = { critical: 'critical', high: 'error', medium: 'warning', low: 'info' };
  return compileFields({ ...templates(), severity: { template: TEMPLATES.severity, values } });
}

const templates = () =>
  Object.fromEntries(Object.entries(TEMPLATES).map(([name, template]) => [name, { template }]));

const withExpressions = () => ({
  ...templates(),
  ...Object.fromEntries(Object.entries(EXPRESSIONS).map(([name, expression]) => [name, { expression }])),
});

function compileFields(fields: object): CompiledMapping {
  const result = compileMapping({ fields });
  if ('errors' in result) throw new Error(result.errors[0]?.message);
  return result.mapping;
}

/** Measures CPU time, so that other programs affect the result as little as possible. */
function perSecond(count: number, work: () => unknown): number {
  const before = process.cpuUsage();
  for (let i = 0; i < count; i++) work();
  const { user, system } = process.cpuUsage(before);
  return (count * 1e6) / (user + system);
}

const thousands = (rate: number): string => `${Math.round(rate / 1_000)} k/s`;
