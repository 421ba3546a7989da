import { isObject } from '../../dialects/dialect.js';

export const PRODUCTS = ['opsgenie', 'grafana-oncall'] as const;
export type Product = (typeof PRODUCTS)[number];

/** An integration of another product, as its export describes it. */
export interface Exported {
  /** Its place in the document, from 1. */
  row: number;
  product: Product;
  /** Empty if the document does not say it. */
  id: string;
  name: string;
  type: string;
  isEnabled: boolean;
  /** The token that is sent with, and the member that has it; null if the document has none. */
  token: { text: string; field: string } | null;
}

/** What a resource of Terraform is, and the type of those without one. */
interface Kind {
  product: Product;
  type: string;
}

/** Of the Terraform providers of both products. */
const TERRAFORM: ReadonlyMap<unknown, Kind> = new Map<unknown, Kind>([
  ['opsgenie_api_integration', { product: 'opsgenie', type: 'API' }],
  ['opsgenie_email_integration', { product: 'opsgenie', type: 'Email' }],
  ['grafana_oncall_integration', { product: 'grafana-oncall', type: '' }],
]);

/** Members that lead to integrations: of API responses, of Opsgenie's backup tool, and of `terraform show -json`. */
const WRAPPERS = [
  'data',
  'results',
  'integration',
  'values',
  'root_module',
  'child_modules',
  'resources',
  'instances',
  'attributes',
];
const MAX_DEPTH = 12;

/** Returns the integrations in a document: one or a list of API responses, of backup files, or of Terraform states. */
export function readExport(document: unknown): Exported[] {
  const found: Omit<Exported, 'row'>[] = [];
  collect(document, null, 0, found);
  const rows = found.map((one, index) => ({ row: index + 1, ...one }));
  // A list has no keys, and what the API returns of each integration has: both may be in one document.
  const byId = new Map<string, Exported>();
  for (const one of rows) {
    const key = `${one.product} ${one.id || `#${one.row}`}`;
    const before = byId.get(key);
    byId.set(key, before ? { ...one, row: before.row, token: one.token ?? before.token } : one);
  }
  return [...byId.values()];
}

function collect(value: unknown, of: Kind | null, depth: number, found: Omit<Exported, 'row'>[]): void {
  if (depth > MAX_DEPTH) return;
  if (Array.isArray(value)) for (const one of value) collect(one, of, depth + 1, found);
  if (!isObject(value)) return;
  const isResource = value.mode !== undefined;
  const kind = TERRAFORM.get(value.type) ?? (isResource ? null : of);
  if (isResource && kind === null) return;
  const isNamed = typeof value.type === 'string' || (of !== null && typeof value.name === 'string');
  if (isNamed && !isResource) found.push(read(value, kind));
  else for (const name of WRAPPERS) collect(value[name], kind, depth + 1, found);
}

const LINK = /\/integrations\/v1\/[^/]+\/([^/]+)\/?$/;

function read(value: Readonly<Record<string, unknown>>, of: Kind | null): Omit<Exported, 'row'> {
  const textOf = (name: string) => (typeof value[name] === 'string' ? value[name].trim() : '');
  const product = of?.product ?? (value.link !== undefined ? 'grafana-oncall' : 'opsgenie');
  const field = product === 'grafana-oncall' ? 'link' : value.api_key === undefined ? 'apiKey' : 'api_key';
  const sent = textOf(field);
  const token = product === 'grafana-oncall' ? (LINK.exec(sent)?.[1] ?? sent) : sent;
  return {
    product,
    id: textOf('id'),
    name: textOf('name'),
    type: textOf('type') || (of?.type ?? ''),
    isEnabled: value.enabled !== false,
    token: token === '' ? null : { text: token, field },
  };
}
