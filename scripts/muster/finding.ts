/** A place in a file, from 1. */
export interface Place {
  line: number;
  column: number;
}

/** What is wrong with a file, or what its author should know. */
export interface Finding extends Place {
  level: 'error' | 'warning';
  /** Stable, for programs. */
  code: string;
  /** Relative to the folder of the files, with `/`. */
  file: string;
  message: string;
  /** The name of the sample that it is about. */
  sample?: string;
  /** In what the alerts of the sample differ from the expected ones. */
  differences?: readonly Difference[];
}

/** A field whose value is not the expected one. */
export interface Difference {
  /** The number of the alert, from 1. */
  alert: number;
  /** `custom.NAME` for a custom field; null: the whole alert. */
  field: string | null;
  /** Null: none. */
  expected: string | null;
  got: string | null;
}

/** Of a file as a whole. */
export const START: Place = { line: 1, column: 1 };
