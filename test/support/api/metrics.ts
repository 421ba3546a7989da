/** A sample of an exposition: `name{label="value"} 1`. */
export interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const LABEL = '[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\\\\n]|\\\\["\\\\n])*"';
const COMMENT = new RegExp(`^# (HELP|TYPE) (${NAME}) (.+)$`);
const SAMPLE = new RegExp(
  `^(${NAME})(?:\\{(${LABEL}(?:,${LABEL})*)?\\})? ([Nn]a[Nn]|[+-]Inf|[-+]?[0-9.]+(?:e[-+]?[0-9]+)?)$`,
);

/**
 * Reads Prometheus' text format 0.0.4, strictly: every line is a HELP, a TYPE or a sample, each sample belongs to a metric
 * whose type was told before it, and no series comes twice. A value is what Go's ParseFloat takes.
 * @throws Error that names the first invalid line
 */
export function parseMetrics(text: string): Metrics {
  const types = new Map<string, string>();
  const seen = new Set<string>();
  const samples: Sample[] = [];
  if (!text.endsWith('\n')) throw new Error('the last line has no end');
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const comment = COMMENT.exec(line);
    if (comment?.[1] === 'TYPE') types.set(comment[2] as string, comment[3] as string);
    if (comment) continue;
    const [, name, labels = '', value] = SAMPLE.exec(line) ?? fail('no sample', line);
    if (!types.has(familyOf(name as string, types))) fail('a sample without a type', line);
    const series = line.slice(0, line.lastIndexOf(' '));
    if (seen.has(series)) fail('a series comes twice', line);
    seen.add(series);
    samples.push({
      name: name as string,
      labels: readLabels(labels),
      value: Number((value as string).replace('Inf', 'Infinity')),
    });
  }
  return new Metrics(samples, types);
}

export class Metrics {
  readonly samples: readonly Sample[];
  readonly types: ReadonlyMap<string, string>;

  constructor(samples: readonly Sample[], types: ReadonlyMap<string, string>) {
    this.samples = samples;
    this.types = types;
  }

  /** Returns the series of that name with at least these labels. */
  of(name: string, labels: Record<string, string> = {}): Sample[] {
    const fits = (sample: Sample) =>
      Object.entries(labels).every(([key, value]) => sample.labels[key] === value);
    return this.samples.filter((sample) => sample.name === name && fits(sample));
  }

  /** Returns their sum; 0 if there are none. */
  sum(name: string, labels: Record<string, string> = {}): number {
    return this.of(name, labels).reduce((sum, { value }) => sum + value, 0);
  }
}

/** A histogram's samples have names of their own. */
function familyOf(name: string, types: ReadonlyMap<string, string>): string {
  const family = name.replace(/_(bucket|sum|count)$/, '');
  return ['histogram', 'summary'].includes(types.get(family) ?? '') ? family : name;
}

function readLabels(text: string): Record<string, string> {
  const pairs = text.matchAll(/([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\.)*)"/g);
  return Object.fromEntries(
    [...pairs].map(([, key, value]) => [key as string, (value as string).replaceAll(/\\(.)/g, '$1')]),
  );
}

function fail(what: string, line: string): never {
  throw new Error(`${what}: ${line}`);
}
