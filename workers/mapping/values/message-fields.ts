/** The variables of what is drawn of a message to a destination, and their fields, as a webhook gets them. */
const MESSAGE_FIELDS = {
  alert: [
    'id',
    'webhookId',
    'webhookName',
    'dedupKey',
    'status',
    'severity',
    'title',
    'description',
    'source',
    'service',
    'environment',
    'team',
    'custom',
    'startedAt',
    'resolvedAt',
    'resolvedBy',
    'resolution',
    'peakSeverity',
    'eventCount',
    'link',
  ],
  transition: ['type', 'timestamp', 'sequence', 'test'],
} as const;

export type MessageVariable = keyof typeof MESSAGE_FIELDS;
export type MessageField<Name extends MessageVariable> = (typeof MESSAGE_FIELDS)[Name][number];

export const isMessageVariable = (name: string): name is MessageVariable =>
  Object.hasOwn(MESSAGE_FIELDS, name);

/** Returns which variable has a field; null if none has. */
export const variableOf = (field: string): MessageVariable | null =>
  fieldsOf('alert').includes(field) ? 'alert' : fieldsOf('transition').includes(field) ? 'transition' : null;

/** Returns why a path in a message leads nowhere, whatever the alert; null if it may lead somewhere. */
export function pathProblem(
  name: MessageVariable,
  [field, inner]: readonly (string | number)[],
): string | null {
  if (field === undefined) return null;
  if (!fieldsOf(name).includes(String(field))) {
    const custom = name === 'alert' ? `; a custom field is ${name}.custom.${field}` : '';
    return `${name} has no field "${field}"${custom}. It has ${fieldsOf(name).join(', ')}`;
  }
  return inner === undefined || field === 'custom' ? null : `${name}.${field} is a value without fields`;
}

/** Returns whether a path in a message leads to something that is never true or false, whatever the alert. */
export const isNeverBool = (name: MessageVariable, [field, inner]: readonly (string | number)[]): boolean =>
  !(field === 'custom' && inner !== undefined) && !(name === 'transition' && field === 'test');

const fieldsOf = (name: MessageVariable): readonly string[] => MESSAGE_FIELDS[name];
