import { z } from 'zod';
import '../../../workers/process/schema-messages.js';
import { nearestWord } from '../../../workers/text/edit-distance.js';
import type { Finding } from '../finding.js';
import type { YamlFile } from '../yaml/yaml-file.js';

type Issue = z.core.$ZodIssue;

/** Checks a file against its schema. The result is null if there are findings. */
export function checkFile<Schema extends z.ZodType>(
  yaml: YamlFile,
  schema: Schema,
  code: string,
): { content: z.output<Schema> | null; findings: Finding[] } {
  if (yaml.findings.length > 0) return { content: null, findings: [...yaml.findings] };
  const parsed = schema.safeParse(yaml.value);
  const findings = parsed.success
    ? []
    : parsed.error.issues.flatMap(specific).flatMap((issue) => toFindings(yaml, schema, issue, code));
  return { content: parsed.success ? parsed.data : null, findings };
}

/** Returns what is wrong with the alternative that a value was probably meant to be, in place of "none of them". */
function specific(issue: Issue): Issue[] {
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [issue];
  const [best = []] = issue.errors.toSorted((one, other) => one.length - other.length);
  const isInside = best.every(({ path, code }) => path.length > 0 || code === 'unrecognized_keys');
  if (!isInside) return [issue];
  return best.flatMap((inner) => specific({ ...inner, path: [...issue.path, ...inner.path] } as Issue));
}

function toFindings(yaml: YamlFile, schema: z.ZodType, issue: Issue, code: string): Finding[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((name) => {
      const path = [...issue.path, name];
      const message = `unknown member ${JSON.stringify(name)}${hint(name, membersAt(schema, issue.path))}`;
      return yaml.findingAt(yaml.placeOf(path, 'key'), message, { code: 'unknown_member' });
    });
  const at = issue.code === 'invalid_key' ? 'key' : 'value';
  const field = issue.path.join('.');
  const message = field ? `${field}: ${issue.message}` : issue.message;
  return [yaml.findingAt(yaml.placeOf(issue.path, at), message, { code })];
}

/** Returns which of the known words was probably meant, or all of them if they are few. */
export function hint(word: string, known: readonly string[]): string {
  const nearest = nearestWord(word, known);
  if (nearest) return `; did you mean ${nearest}?`;
  return known.length > 0 ? `; known: ${known.join(', ')}` : '';
}

/** Returns the names of all members that an object may have at a place of a schema. */
function membersAt(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  let places: JsonSchema[] = [z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema];
  const definitions = places[0]?.$defs ?? {};
  const open = (place: JsonSchema): JsonSchema[] => {
    const target = place.$ref && definitions[place.$ref.replace('#/$defs/', '')];
    return [place, ...(target ? open(target) : []), ...(place.anyOf ?? place.oneOf ?? []).flatMap(open)];
  };
  for (const name of path)
    places = places.flatMap(open).flatMap(({ properties = {}, items, additionalProperties: others }) => {
      const next =
        typeof name === 'number'
          ? items
          : (Object.entries(properties).find(([known]) => known === name)?.[1] ?? others);
      return typeof next === 'object' && next !== null ? [next] : [];
    });
  return [...new Set(places.flatMap(open).flatMap(({ properties = {} }) => Object.keys(properties)))];
}

interface JsonSchema {
  $defs?: Record<string, JsonSchema>;
  $ref?: string;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  additionalProperties?: JsonSchema | boolean;
}
