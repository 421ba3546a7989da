import {
  type CelInput,
  type CelValue,
  celUint,
  isCelError,
  isCelList,
  isCelMap,
  isCelUint,
  parse,
  plan,
} from '@bufbuild/cel';
import type { Value } from '@bufbuild/cel-spec/cel/expr/value_pb.js';
import {
  getConformanceSuite,
  type IncrementalTest,
  type IncrementalTestSuite,
} from '@bufbuild/cel-spec/testdata/tests.js';
import { describe, expect, test } from '@jest/globals';
import { boundExpression } from '../../../../workers/mapping/expression/bound.js';
import { ENVIRONMENT } from '../../../../workers/mapping/expression/functions.js';
import { inScope } from '../../../../workers/mapping/expression/meter.js';
import { scopeOf } from './expressions.js';

/** The files of CEL's conformance tests that concern what an expression of a mapping can do. */
const FILES = [
  'basic',
  'comparisons',
  'conversions',
  'fields',
  'fp_math',
  'integer_math',
  'lists',
  'logic',
  'macros',
  'parse',
  'plumbing',
  'string',
  'string_ext',
  'timestamps',
];

/** The other files, and why they are left out. */
const OTHER_FILES: Record<string, string> = {
  bindings_ext: 'cel.bind is not offered',
  block_ext: 'cel.block is made by optimizers, not by people',
  dynamic: 'wrappers of protobuf messages',
  encoders_ext: 'base64 is not offered',
  enums: 'enums of protobuf messages',
  macros2: 'comprehensions with two variables are not offered',
  math_ext: 'the extension for mathematics is not offered',
  namespace: 'a mapping has no namespaces',
  optionals: 'optional values are not offered; first() takes their place',
  proto2: 'protobuf messages',
  proto2_ext: 'protobuf messages',
  proto3: 'protobuf messages',
  type_deductions: 'types that the checker of a compiler deduces',
  unknowns: 'has no tests',
  wrappers: 'wrappers of protobuf messages',
};

/** Single tests that are left out, and why. */
const LEFT_OUT: readonly [RegExp, string][] = [
  [/TestAllTypes|NestedTestAllTypes/, 'protobuf messages'],
  [/^comparisons\/eq_wrapper|^fields\/qualified_identifier_resolution/, 'protobuf messages and namespaces'],
  [/\.format\(/, 'format is not offered, because its cost cannot be bounded'],
  [/\.`/, 'the parser of the library has no quoted fields; write a["b"]'],
  [/duration_converters\/get_milliseconds/, 'a variable that is a protobuf message'],
  [/google\.protobuf\.(Timestamp|Duration)/, 'names of protobuf types are not offered'],
];

const collect = (suite: IncrementalTestSuite, path: string): [string, IncrementalTest][] => [
  ...suite.tests.map((one): [string, IncrementalTest] => [`${path}/${one.name}: ${one.original.expr}`, one]),
  ...suite.suites.flatMap((inner) => collect(inner, `${path}/${inner.name}`)),
];

const suites = new Map(getConformanceSuite().suites.map((suite) => [suite.name, suite]));

test('every file of the conformance tests is either run or left out with a reason', () => {
  expect([...suites.keys()].sort()).toEqual([...FILES, ...Object.keys(OTHER_FILES)].sort());
});

describe.each(FILES)('%s', (file) => {
  const all = collect(suites.get(file) as IncrementalTestSuite, file);
  const run = all.filter(([name]) => !LEFT_OUT.some(([pattern]) => pattern.test(name)));

  test.each(run)('%s', (_, { original }) => {
    const { case: kind, value } = original.resultMatcher;
    const bindings = Object.fromEntries(
      Object.entries(original.bindings).map(([name, { kind }]) => [name, toCel(kind.value as Value)]),
    );
    const evaluate = () => plan(ENVIRONMENT, boundExpression(parse(original.expr).expr))(bindings);
    if (kind === 'evalError') return expect(outcome(evaluate)).toBe('error');
    const expected = kind === 'value' ? toCel(value) : true;
    expect(outcome(evaluate)).toEqual(plain(expected as CelValue));
  });
});

test('hundreds of tests are run', () => {
  const count = FILES.flatMap((file) => collect(suites.get(file) as IncrementalTestSuite, file)).filter(
    ([name]) => !LEFT_OUT.some(([pattern]) => pattern.test(name)),
  ).length;
  expect(count).toBeGreaterThan(1_000);
});

/** Evaluates with the budget of a field. An expression that does not parse is an error too. */
function outcome(evaluate: () => unknown): unknown {
  const scope = scopeOf(null);
  scope.budget.startField();
  try {
    const result = inScope(scope, evaluate);
    return isCelError(result) ? 'error' : plain(result as CelValue);
  } catch {
    return 'error';
  }
}

function toCel({ kind }: Value): CelInput {
  switch (kind.case) {
    case 'uint64Value':
      return celUint(kind.value);
    case 'nullValue':
      return null;
    case 'listValue':
      return kind.value.values.map(toCel);
    case 'mapValue':
      return new Map(
        kind.value.entries.map(({ key, value }) => [toCel(key as Value) as string, toCel(value as Value)]),
      );
    case 'typeValue':
      return { type: kind.value };
    default:
      return kind.value as CelInput;
  }
}

/** Returns a value in a form that shows the difference between an int, a uint and a double. */
function plain(value: CelValue | CelInput): unknown {
  if (typeof value === 'bigint') return `int ${value}`;
  if (typeof value !== 'object' || value === null) return value;
  if (isCelUint(value)) return `uint ${value.value}`;
  if (isCelList(value) || Array.isArray(value)) return Array.from(value as Iterable<CelValue>, plain);
  if (isCelMap(value) || value instanceof Map) {
    const entries = Array.from(value as Iterable<[CelValue, CelValue]>, ([key, one]) => [
      plain(key),
      plain(one),
    ]);
    return { map: entries.sort(([a], [b]) => String(a).localeCompare(String(b))) };
  }
  if (value instanceof Uint8Array) return `bytes ${Buffer.from(value).toString('hex')}`;
  return { type: 'type' in value ? value.type : String((value as { name?: string }).name) };
}
