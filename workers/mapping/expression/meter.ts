import { type CelValue, isCelList, isCelMap } from '@bufbuild/cel';
import { Budget } from '../values/budget.js';
import { KeyLists } from '../values/json-value.js';
import { ExpressionScope } from './scope.js';

/** The scope of the evaluation that runs. Functions of CEL get nothing but their arguments, and evaluation is synchronous. */
let current = new ExpressionScope(
  { webhook: null, item: undefined, request: undefined },
  new Budget(),
  new KeyLists(),
);

/** Returns the scope of the evaluation that runs. */
export const scope = (): ExpressionScope => current;

/**
 * Runs an evaluation in a scope. The library creates an error for every absent key. Without its stack, which nobody reads, it takes
 * a tenth of the time.
 */
export function inScope<T>(of: ExpressionScope, work: () => T): T {
  const outer = current;
  const { stackTraceLimit } = Error;
  current = of;
  Error.stackTraceLimit = 0;
  try {
    return work();
  } finally {
    current = outer;
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/**
 * Counts steps of the evaluation that runs.
 * @throws BudgetExceeded
 */
export const charge = (steps: number): void => current.budget.step(Math.ceil(steps));

/**
 * Counts characters that the evaluation writes.
 * @throws BudgetExceeded
 */
export const chargeText = (characters: number): void => current.budget.write(characters);

/** Characters that a function reads in the time of one step. The slowest ones read them one by one. */
const READ_PER_STEP = 10;

/** A local time is found by formatting it, which takes 20 to 100 µs. */
const TIME_ZONE_STEPS = 1_000;

/** Longer texts are no numbers, times or durations. Reading digits takes a time that grows with their square. */
const MAX_CONVERTED = 1_000;

type Cost = (first: CelValue | undefined, second: CelValue | undefined) => void;

const CONVERSIONS = ['int', 'uint', 'double', 'bool', 'timestamp', 'duration'];

/** Functions whose cost is not that of reading their values once. */
const COSTS: ReadonlyMap<string, Cost> = new Map<string, Cost>([
  ['_==_', compared],
  ['_!=_', compared],
  ['@in', searched],
  ['_+_', joined],
  ['join', listJoined],
  ['split', (text) => charge(sizeOf(text))],
  ...CONVERSIONS.map((name): [string, Cost] => [name, (text) => converted(name, text)]),
]);

/**
 * Counts what a function costs with these values, before it runs.
 * @throws BudgetExceeded
 */
export function costOf(name: string, values: readonly CelValue[]): void {
  const cost = COSTS.get(name);
  if (cost) cost(values[0], values[1]);
  else if (isLocalTime(name, values)) charge(TIME_ZONE_STEPS);
  else for (const value of values) charge(1 + sizeOf(value) / READ_PER_STEP);
}

/** Whether a function such as `getHours` is called with a time zone. */
const isLocalTime = (name: string, values: readonly CelValue[]): boolean =>
  name.startsWith('get') && values.length > 1;

function sizeOf(value: CelValue | undefined): number {
  if (typeof value === 'string' || value instanceof Uint8Array) return value.length;
  return isCelList(value) || isCelMap(value) ? value.size : 0;
}

/** Scalars are compared at once, texts of one length character by character, and lists and maps element by element. */
function compared(left: CelValue | undefined, right: CelValue | undefined): void {
  if (typeof left === 'string' && typeof right === 'string') {
    if (left.length === right.length) charge(left.length / READ_PER_STEP);
  } else if (isContainer(left) && isContainer(right)) {
    weigh(left);
    weigh(right);
  }
}

const isContainer = (value: unknown): boolean => isCelList(value) || isCelMap(value);

/** Counts every value in a list or map. */
function weigh(value: CelValue | undefined): void {
  charge(1 + (typeof value === 'string' ? value.length / READ_PER_STEP : 0));
  if (isCelList(value)) for (const element of value) weigh(element);
  else if (isCelMap(value)) for (const [, element] of value) weigh(element);
}

function searched(value: CelValue | undefined, list: CelValue | undefined): void {
  if (!isCelList(list)) return;
  charge(list.size * (1 + sizeOf(value) / READ_PER_STEP));
  if (isContainer(value)) for (const element of list) compared(value, element);
}

function joined(left: CelValue | undefined, right: CelValue | undefined): void {
  if (typeof left === 'string' && typeof right === 'string') chargeText(left.length + right.length);
  else charge(sizeOf(left) + sizeOf(right));
}

function listJoined(list: CelValue | undefined, separator: CelValue | undefined): void {
  if (!isCelList(list)) return;
  for (const element of list) {
    charge(1);
    chargeText(sizeOf(element) + sizeOf(separator));
  }
}

function converted(name: string, value: CelValue | undefined): void {
  if (sizeOf(value) > MAX_CONVERTED) throw new Error(`${name}() takes a text of at most 1,000 characters`);
  charge(READ_PER_STEP);
}
