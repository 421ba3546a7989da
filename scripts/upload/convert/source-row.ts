/** An account in an export of another product. */
export interface SourceRow {
  /** Where it is in the file: "line 12" or "uidentities.ab12.identities[3]". */
  place: string;
  /** The email of the owner; '' if the export has none. */
  email: string;
  /** The account's name. */
  identity: string;
  /** The system of the account as the export names it, such as `github`; '' if the export is about one system. */
  system: string;
  /** The names of the fields in the export, for messages. */
  names: { email: string; identity: string };
}

/** The file of an export. */
export interface ExportFile {
  path: string;
  /** The encoding of a CSV file, if it is neither UTF-8 nor marked. */
  charset?: string | undefined;
  /** Receives what the reader of CSV files notes. */
  notes: string[];
}

/** Reads the accounts of an export. */
export interface Converter {
  /** Where the format is documented. */
  source: string;
  /** Whether one export contains accounts of several systems. */
  hasSystems: boolean;
  read(file: ExportFile, users: ExportFile | undefined): AsyncIterable<SourceRow> | Iterable<SourceRow>;
}
