type Environment = Record<string, string | undefined>;

/**
 * Returns how a person calls a command of `muster`, ready for its arguments: `muster upload` from the package, and in a checkout
 * `npm run upload --` or `npm run muster -- upload`.
 */
export function calledAs(command: string, { npm_lifecycle_event: script }: Environment): string {
  if (script === command) return `npm run ${command} --`;
  return script === 'muster' ? `npm run muster -- ${command}` : `muster ${command}`;
}
